import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { type Gateway, startVersitygw } from '../../test/support/versitygw.ts';
import { type LargeObject, testLargeObject } from './conformance.fixture.ts';
import { FolderStore } from './folder-store.ts';
import { openStore } from './open-store.ts';

/** The claim of both kinds of store; the conformance suite takes a quarter of it. */
const LARGE: LargeObject = { mebibytes: 1024, growth: 256 };

const BUCKET = 'large';

let gateway: Gateway;
const folder = newFolder();
beforeAll(async () => {
  gateway = await startVersitygw('1.8.0');
  await gateway.createBucket(BUCKET);
});
afterAll(async () => {
  await gateway?.stop();
});

describe('a folder', () => {
  const open = () => new FolderStore(folder);
  const litter = () => readdir(join(folder, '.opaline-store', 'temporary')).catch(() => []);
  testLargeObject(async () => ({ store: open(), again: open, litter }), LARGE);
});

describe('versitygw 1.8.0', () => {
  const open = () => openStore(gateway.configuration(BUCKET));
  const litter = () => gateway.unfinishedUploads(BUCKET);
  testLargeObject(async () => ({ store: open(), again: open, litter }), LARGE);
});
