import { expect, test } from 'vitest';
import type { Rule } from './generalisation.ts';
import { seriesSnippet } from './series-snippet.ts';

const COLUMNS = ['on_time', 'off_time', 'on_stop', 'mode'];
const snippet = (...rules: Rule[]): string => seriesSnippet(COLUMNS, rules, new Map([['on_stop', ['zone']]]), null);
/** What people have to say of a table of their own. */
const ASKED = '# privacy.chosenOn: name the data of this table here, in a few words';
const keep: Rule = { kind: 'keep' };

test('says the bins, the level of a place and what is left out', () => {
  const text = snippet(
    { kind: 'minutes', minutes: 15 },
    { kind: 'minutes', minutes: 30 },
    { kind: 'level', level: 1 },
    { kind: 'drop' },
  );
  expect(text).toBe(
    [
      'bins:',
      '  minutes: 30 # day.starts and day.ends have to be the start of one',
      '  # on_stop: in the dictionary of each mode, source is its value and location its zone',
      '  # the columns of time had different bins; a series has one length',
      '# left out of source.columns: mode',
      ASKED,
    ].join('\n'),
  );
});

test('says what a series cannot take, and that nothing changes', () => {
  expect(snippet({ kind: 'minutes', minutes: 1440 }, keep, keep, keep)).toMatch(
    /^bins:\n {2}# time bins of 1440 minutes/,
  );
  expect(snippet(keep, keep, keep, keep)).toBe(`# the bins stay as they are\n${ASKED}`);
});

test('does not repeat what the dictionaries of a series say', () => {
  const rules: Rule[] = [{ kind: 'minutes', minutes: 15 }, keep, { kind: 'level', level: 1 }, keep];
  expect(seriesSnippet(COLUMNS, rules, new Map([['on_stop', ['location']]]), 'small in the window of 2026-03-02')).toBe(
    'bins:\n  minutes: 15 # day.starts and day.ends have to be the start of one\nprivacy:\n  chosenOn: small in the window of 2026-03-02',
  );
});
