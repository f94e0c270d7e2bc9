import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../core/json/canonical.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { rootKey, trustFile, trustVersion } from '../../test/support/trust-files.ts';
import { signDocument } from '../signing/signed-document.ts';
import { sha256 } from '../stores/json-objects.ts';
import { newestVersion } from './trust-chain.ts';
import { trustReader } from './trust-file.ts';

const folder = newFolder();

const first = trustVersion();
const previous = sha256(canonicalJson(first));
const next = trustVersion({ number: 2, previous, demo: true });
const envelopes = [first, next].map((version) => signDocument(version, rootKey.privateKey));

test('the reader of a deployment follows the file, holds to its pin, and refuses keys of a trial', async () => {
  const file = join(folder, 'trust.json');
  const pin = { number: 1, digest: previous };
  const read = trustReader({ file, pin }, false);
  const behind = { code: 'TRUST_BEHIND' };
  await expect(read()).rejects.toMatchObject({ code: 'TRUST_INVALID' });
  await writeFile(file, trustFile(envelopes[0]!));
  expect(newestVersion(await read()).number).toBe(1);
  await writeFile(file, trustFile(...envelopes));
  await expect(read()).rejects.toMatchObject(behind);
  await expect(trustReader({ file }, false)()).rejects.toThrow('those of a trial');
  expect(newestVersion(await trustReader({ file }, true)()).number).toBe(2);
  await writeFile(file, trustFile(signDocument(trustVersion({ organisation: 'Another' }), rootKey.privateKey)));
  await expect(read()).rejects.toMatchObject(behind);
  await expect(trustReader({ file, pin }, false)()).rejects.toThrow('not the one');
  expect(newestVersion(await trustReader({ file }, false)()).organisation).toBe('Another');
});
