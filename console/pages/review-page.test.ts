import { html } from 'hono/html';
import { expect, test } from 'vitest';
import type { AuditReport } from '../../contracts/audit-report.ts';
import { epsilonInWords, timesLeft } from './amount-words.ts';
import { type ReviewData, reviewPage } from './review-page.ts';

type History = NonNullable<AuditReport['history']>;

/** A week of one tram, of which the Wednesday is looked at; in what a page does not read it is empty. */
const dataOf = (history: Partial<History>, count = 95, more: Partial<ReviewData['review']['summary']> = {}) =>
  ({
    release: { release: 'taps/2026-11-09/v1', partitions: [], state: 'waiting', verdict: 'attention' },
    review: {
      summary: {
        days: { first: '2026-11-09', last: '2026-11-15', timeZone: 'UTC' },
        tables: [],
        places: null,
        opening: {
          purpose: 'This is a trial.',
          notes: ['One person is <everybody>.'],
          missing: ['No day is missing.'],
        },
        ...more,
      },
      report: {
        verdict: 'attention',
        checks: [],
        history: {
          read: [],
          left: [],
          unusual: [],
          places: [],
          days: [{ partition: 'tram/2026-11-11', count, before: [3209, 3265], usual: [2660, 3863] }],
          ...history,
        },
      },
      first: null,
      byHour: [],
      holes: [],
      files: [],
      statement: [],
      totals: [{ part: 'tram', day: '2026-11-11', count, low: count - 65, high: count + 65 }],
    },
    briefing: { forecast: [], since: null, privacy: null, people: null },
    decisions: [],
  }) as unknown as ReviewData;

const readOf = (...windows: string[]): History['read'] =>
  windows.map((window) => ({ release: `taps/${window}/v1`, manifest: '', totals: '' }));

/** What a page says, without its marks; thin and hard spaces as spaces. */
const textOf = async (data: ReviewData): Promise<string> =>
  String(await reviewPage(data, [], html``).body)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const ODD = 'tram, Wed 11 Nov 2026: 95, usually 2 660 to 3 863.';

test('what is odd is named before anything else, and no sentence says the contrary', async () => {
  const text = await textOf(dataOf({}));
  expect(text.indexOf(ODD)).toBeLessThan(text.indexOf('Attention: people have to look'));
  expect(text).toContain(`Not as usual: ${ODD}`);
  expect(text).toContain('A table came for every part and day. That does not say that all of its rows came.');
  expect(text).not.toMatch(/No day is missing|No total differs/);
  const usual = await textOf(dataOf({}, 3000));
  expect(usual).not.toMatch(/Not as usual|That does not say/);
});

test('totals before stand below the first day of their week; a week that was not read, or was unusual, is called so', async () => {
  const read = readOf('2026-10-26', '2026-10-19', '2026-10-12');
  const unusual = [{ from: '2026-10-21', to: '2026-10-21', reason: 'A holiday' }];
  const text = await textOf(dataOf({ read, unusual }));
  expect(text).toContain('Week from 2 Nov Week from 26 Oct Week from 19 Oct Week from 12 Oct');
  expect(text).toContain('▼ lower not read 3 209 unusual 3 265');
});

test('where a report does not say which week lacks a day, no total is put below one', async () => {
  const text = await textOf(dataOf({ read: readOf('2026-11-02', '2026-10-26', '2026-10-19') }));
  expect(text).toContain('3 209, 3 265 (of which weeks is not known)');
  const days = { first: '2026-11-01', last: '2026-11-30', timeZone: 'UTC' };
  expect(await textOf(dataOf({ read: readOf('2026-10-01') }, 95, { days }))).toContain('1 before 2 before');
});

test('what readers are told stands beside the decision, as text', async () => {
  const decide = (await textOf(dataOf({}))).split(' Decide ').at(-1);
  expect(decide).toContain('Readers are told: This is a trial. One person is &lt;everybody&gt;.');
});

test('what ε is of, and how often a version can be made again, by the smaller of the amounts that are left', () => {
  expect(epsilonInWords('card-window')).toContain('of one card’s window from');
  const [cost, left] = [
    { epsilon: '8', delta: '0' },
    { epsilon: '20', delta: '0' },
  ];
  expect(timesLeft(cost, [left, { epsilon: '352', delta: '0' }])).toBe(2);
  expect(timesLeft(cost, [left, { epsilon: '23/3', delta: '0' }])).toBe(0);
  expect(timesLeft({ epsilon: '1', delta: '1/10' }, [{ epsilon: '100', delta: '3/10' }])).toBe(3);
  const rho = (value: string) => ({ rho: value, at: null });
  expect(timesLeft(rho('1/4'), [rho('1/2')])).toBe(2);
});
