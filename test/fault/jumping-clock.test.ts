import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attestationSchema } from '../../activities/public/attestation.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { readJson } from '../../activities/stores/json-objects.ts';
import { FILES, PUBLIC_KEYS } from '../../contracts/names.ts';
import { carryThrough } from '../support/carry-through.ts';
import { outcomeOf } from '../support/release-outcome.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

const PRELOAD = fileURLToPath(new URL('../support/jumping-clock.ts', import.meta.url));
const options = process.env.NODE_OPTIONS;

let stack: TestStack;
let series: SmallSeries;
beforeAll(async () => {
  // Workers are processes of their own, and a restarted one jumps too. This process keeps its clock.
  process.env.NODE_OPTIONS = `${options ?? ''} --import ${PRELOAD}`;
  stack = await startTestStack();
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
});
afterAll(async () => {
  if (options === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = options;
  await stack?.end();
});

test('the clocks of both workers jump by days and years: the release, its times and its ledger are as ever', async () => {
  const start = Date.now();
  const carried = await carryThrough(stack, series, 1);
  const end = Date.now();
  for (const side of ['private', 'public'] as const) {
    const times = [...(await readFile(stack.files.log(side), 'utf8')).matchAll(/"time":"?([^",]+)/g)].map(
      (found) => found[1],
    );
    expect(
      times.some((time) => Math.abs(Date.parse(`${time}`) - end) > 3_600_000),
      `the clock of ${side} jumps`,
    ).toBe(true);
  }
  const publication = new FolderStore(stack.files.publication);
  const places = { release: stack.client.releaseStore, publication, population: 'small-riders' };
  const { row, line } = await outcomeOf(stack, places, carried, { fault: 'clock jumps', injected: 1, seed: 0 });
  expect(row, line).toMatchObject({ completed: 1, outputsDiffering: 0, ledgerErrors: 0, leftovers: 0 });
  expect([...carried.heldBack]).toEqual([]);

  const key = PUBLIC_KEYS.file(carried.run, FILES.attestation);
  const { publishedAt } = (await readJson(publication, key, attestationSchema)).predicate;
  const isBetween = (time: string | null, from: number, to: number) => {
    expect(Date.parse(`${time}`)).toBeGreaterThanOrEqual(from - 1000);
    expect(Date.parse(`${time}`)).toBeLessThanOrEqual(to + 1000);
  };
  isBetween(publishedAt, start, end);
  const open = 21 * 86_400_000;
  isBetween(carried.status.expiresAt, start + open, end + open);
}, 300_000);
