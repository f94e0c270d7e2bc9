import { expect, test } from 'vitest';
import { completionScript } from './completion-script.ts';

test('zsh has what bash has, after what a plain zsh has to be told first', () => {
  const words = new Map([['ledger', ['show', 'verify']]]);
  const [first, second, ...rest] = completionScript('zsh', words).split('\n');
  expect([first, second]).toEqual([
    expect.stringMatching(/compdef.* compinit/),
    expect.stringContaining('bashcompinit'),
  ]);
  expect(rest.join('\n')).toBe(completionScript('bash', words));
  expect(rest.join('\n')).toContain(`'ledger '*) words='show verify' ;;`);
});
