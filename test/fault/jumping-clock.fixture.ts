import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { FILES, PUBLIC_KEYS } from '../../contracts/names.ts';
import { readAttestation } from '../../services/publication/attestation-file.ts';
import { readJson } from '../../services/stores/json-objects.ts';
import type { Deployments } from '../../stack/embedded-files.ts';
import { carryThrough } from '../support/carry-through.ts';
import type { Places } from '../support/release-checks.ts';
import { outcomeOf } from '../support/release-outcome.ts';
import { UNHARMED } from '../support/reliability-record.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';

const PRELOAD = fileURLToPath(new URL('../support/jumping-clock.ts', import.meta.url));

/** A stack whose workers have a clock that jumps, those that are started again too. This process keeps its clock. */
export async function startJumpingStack(make?: (root: string) => Deployments): Promise<TestStack> {
  const options = process.env.NODE_OPTIONS;
  const restore = () => {
    if (options === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = options;
  };
  process.env.NODE_OPTIONS = `${options ?? ''} --import ${PRELOAD}`;
  try {
    // A clock may jump with each attempt of a first request; whoever runs a worker starts it again then.
    const stack = await startTestStack(make).catch(() => startTestStack(make));
    return { ...stack, end: () => stack.end().finally(restore) };
  } catch (error) {
    restore();
    throw error;
  }
}

/**
 * Carries one release through, and expects of it what is usual: no object held a partition back, outputs and ledger are
 * exact, and the times that it says are those of the clock that did not jump.
 */
export async function expectUsualRelease(
  stack: TestStack,
  series: SmallSeries,
  places: Places,
  leftovers: () => Promise<string[]> = async () => [],
): Promise<void> {
  const start = Date.now();
  const carried = await carryThrough(stack, series, 1);
  const end = Date.now();
  for (const side of ['private', 'public'] as const) await expectJumps(stack, side, end);
  const fault = { fault: 'clock jumps', injected: 1, seed: 0, leftovers: await leftovers() };
  const { row, line } = await outcomeOf(stack, places, carried, fault);
  expect(row, line).toMatchObject({ completed: 1, ...UNHARMED });
  // A clock before the end of the window says that it is not over; nothing else may hold a partition back.
  expect([...carried.heldBack].filter((code) => code !== 'WINDOW_INVALID')).toEqual([]);

  const isBetween = (time: string | null, from: number, to: number) => {
    expect(Date.parse(`${time}`)).toBeGreaterThanOrEqual(from - 1000);
    expect(Date.parse(`${time}`)).toBeLessThanOrEqual(to + 1000);
  };
  const attestation = PUBLIC_KEYS.file(carried.run, FILES.attestation);
  isBetween((await readJson(places.publication, attestation, { parse: readAttestation })).publishedAt, start, end);
  const open = 21 * 86_400_000;
  isBetween(carried.status.expiresAt, start + open, end + open);
}

/** Do the log lines of a worker show times that are hours off? */
async function expectJumps(stack: TestStack, side: 'private' | 'public', end: number): Promise<void> {
  const lines = (await readFile(stack.files.log(side), 'utf8')).matchAll(/"time":"?([^",]+)/g);
  const times = [...lines].map(([, time]) => Date.parse(`${time}`));
  expect(
    times.some((time) => Math.abs(time - end) > 3_600_000),
    `the clock of ${side} jumps`,
  ).toBe(true);
}
