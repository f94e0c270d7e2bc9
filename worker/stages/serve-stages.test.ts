import { expect, test } from 'vitest';
import { OpalineError } from '../../contracts/errors.ts';
import { runByNewest } from './serve-stages.ts';

const fails = (code: 'LEDGER_BROKEN' | 'STORE_UNAVAILABLE' | 'TRUST_BEHIND') => async () => {
  throw new OpalineError(code, 'public words');
};

test('a refusal by old files is none: the work is given back, for a worker that has the newest', async () => {
  const behind = fails('TRUST_BEHIND');
  const newest = async () => {};
  await expect(runByNewest(fails('LEDGER_BROKEN'), behind)).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
  await expect(runByNewest(fails('LEDGER_BROKEN'), newest)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  // What passes is repeated anyway, and what was done is done.
  await expect(runByNewest(fails('STORE_UNAVAILABLE'), behind)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  expect(await runByNewest(async () => 'done', behind)).toBe('done');
});
