import { ServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { ReleaseLine } from '../client/release/retractions.ts';
import { ERRORS, EXIT } from '../contracts/errors.ts';
import { RELEASE_STATES } from '../contracts/release-state.ts';
import { amountText, capShare } from '../core/rational/amount-text.ts';
import { inOurWords } from './client.ts';
import { exitOf } from './follow-release.ts';
import { burnDownText } from './ledger-text.ts';
import { stateText } from './retraction-text.ts';
import { bar } from './terminal.ts';

describe('the exit code of a followed release', () => {
  test('follows from its state alone, but for a failure', () => {
    const exits = RELEASE_STATES.filter((state) => state !== 'failed').map((state) => [
      state,
      exitOf({ state, ending: null }),
    ]);
    expect(Object.fromEntries(exits)).toEqual({
      'waiting-for-objects': EXIT.waiting,
      running: EXIT.waiting,
      'partitions-failed': EXIT.waiting,
      stalled: EXIT.waiting,
      auditing: EXIT.waiting,
      waiting: EXIT.waiting,
      'approved-waiting': EXIT.waiting,
      publishing: EXIT.waiting,
      'ending-stalled': EXIT.waiting,
      published: EXIT.done,
      rejected: EXIT.refused,
      withdrawn: EXIT.refused,
      expired: EXIT.waiting,
      cancelled: EXIT.refused,
      retracted: EXIT.refused,
    });
  });

  test('of a failure is that of its error', () => {
    for (const code of ['BUDGET_EXCEEDED', 'STORE_UNSAFE', 'UNEXPECTED', 'CONFIGURATION_INVALID'] as const)
      expect(exitOf({ state: 'failed', ending: { code, message: '' } })).toBe(ERRORS[code].exit);
    expect(exitOf({ state: 'failed', ending: null })).toBe(EXIT.unexpected);
  });
});

describe('amounts for people', () => {
  test('are short and keep their size', () => {
    expect(['36/5', '8', '0', '1/1000000', '53/1000000', '1/3', '1/4'].map(amountText)).toEqual([
      '7.2',
      '8',
      '0',
      '1e-6',
      '5.3e-5',
      '0.333333',
      '0.25',
    ]);
  });

  test('fill a bar to the end only when all is spent, and leave it empty only when nothing is', () => {
    const filled = (share: number) => [...bar(share)].filter((mark) => mark === '█').length;
    expect([0, 0.001, 0.5, 0.999, 1, 3].map(filled)).toEqual([0, 1, 10, 19, 20, 20]);
    expect(bar(0.5)).toHaveLength(20);
  });

  test('of nothing are no share, and of something without a cap are all of it', () => {
    expect([capShare('0', '0'), capShare('1', '0'), capShare('4', '16')]).toEqual([0, 1, 0.25]);
  });
});

test('a server that does not answer a question is said in our words, and any other error stays', () => {
  const [silent, other] = [new ServiceError('Failed to query Workflow'), new Error('other')];
  expect(inOurWords(silent)).toMatchObject({ code: 'SERVER_UNAVAILABLE', message: expect.stringContaining('doctor') });
  expect(inOurWords(other)).toBe(other);
  const absent = {
    code: 'SERVER_UNAVAILABLE',
    message: expect.stringContaining('no namespace city; `opaline temporal'),
  };
  expect(inOurWords(new NamespaceNotFoundError('city'))).toMatchObject(absent);
});

test('a burn-down says in words what its bars show', () => {
  const amount = { epsilon: '8', delta: '1/1000000' };
  const days = { firstDay: '2026-03-02', lastDay: '2026-03-04' };
  const text = burnDownText({
    population: 'riders',
    accounting: 'pure',
    charges: [
      {
        ...amount,
        ...days,
        release: 'taps/2026-03-02/v1',
        charge: 'x',
        state: 'committed',
        unit: 'trip',
        mechanism: 'complete-domain',
        blocks: 6,
        year: amount,
      },
    ],
    refusals: [
      { release: 'taps/2026-03-02/v2', code: 'BUDGET_EXCEEDED', subject: 'releaseWorkflow', reason: 'over-cap' },
    ],
    caps: { block: { epsilon: '16', delta: '1/500000' }, year: { epsilon: '10', delta: '1' } },
    blocks: [{ ...amount, ...days, blocks: 6, parts: ['bus', 'ferry'] }],
  });
  expect(text).toContain('Population riders: 1 release charged, 1 attempt refused.');
  expect(text).toMatch(
    /^6 blocks {2}2026-03-02 to 2026-03-04 {2}bus, ferry {2}ε 8 of 16 +δ 1e-6 of 2e-6 +50 % {2}█{10}░{10}$/m,
  );
  expect(text).toMatch(/^taps\/2026-03-02\/v1 {2}ε 8 of 10 +δ 1e-6 of 1 +80 % {2}█{16}░{4}$/m);
  expect(text).toContain('  taps/2026-03-02/v2: BUDGET_EXCEEDED (over-cap), asked by releaseWorkflow');
});

test('a publication whose entry in the ledger could not be written is shown as published', () => {
  const cause = { code: 'STORE_UNAVAILABLE', message: 'x', attempts: 1, since: '2026-03-20T00:00:00Z' } as const;
  const stall = { ...cause, activity: 'commit', from: 'publishing', stage: 'publish' } as const;
  const line: ReleaseLine = {
    series: 'demo',
    window: '2026-03-02',
    version: 1,
    startedAt: '2026-03-10T00:00:00Z',
    state: 'ending-stalled',
    retraction: null,
    open: null,
    stall,
  };
  expect(stateText(line)).toBe('published; its ledger entry waits (STORE_UNAVAILABLE)');
  expect(stateText({ ...line, stall: { ...stall, activity: 'publish' } })).toContain('ending-stalled');
});
