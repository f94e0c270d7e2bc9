import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { hasToken, limitOf } from './access.ts';
import { markdownPage } from './markdown-html.ts';
import { releaseView } from './release-view.ts';
import { clean, wholeHour } from './safe-text.ts';
import { type Person, Sessions } from './sessions.ts';

const somebody: Person = { subject: 'a', account: 'test', roles: ['viewer'] };

describe('sessions', () => {
  test('a link is of one session, once, for a day', () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const [first, late] = [sessions.link(somebody), sessions.link(somebody)];
    expect(sessions.redeem(first)).toEqual(somebody);
    expect(sessions.redeem(first)).toBeNull();
    now = 24 * 3_600_000 + 1;
    expect(sessions.redeem(late)).toBeNull();
  });

  test('a session ends by itself, and a look that is no use does not prolong it', () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const name = sessions.open(somebody);
    for (let minute = 0; minute <= 30; minute += 5) {
      now = minute * 60_000;
      expect(sessions.find(name, false)).not.toBeNull();
    }
    now += 1;
    expect(sessions.find(name)).toBeNull();
  });

  test('a token is that of its own session, and of nothing shorter, longer or other', () => {
    const sessions = new Sessions(() => 0);
    const [own, other] = [sessions.find(sessions.open(somebody))!, sessions.find(sessions.open(somebody))!];
    expect(hasToken(own, own.token)).toBe(true);
    const forged = [other.token, '', own.token.slice(1), `${own.token}a`, undefined, null, [own.token], 7];
    expect(forged.filter((one) => hasToken(own, one))).toEqual([]);
  });

  test('a limit counts each name by itself, and begins again with the minute', () => {
    let now = 0;
    const limit = limitOf(2, () => now);
    expect(['a', 'a', 'b', 'a', 'b'].map((name) => limit(name))).toEqual([true, true, true, false, true]);
    now = 60_000;
    expect(limit('a')).toBe(true);
  });
});

const STATUS = {
  series: 'small',
  window: '2026-03-02',
  version: 1,
  seriesDigest: 'ab',
  correction: null,
  state: 'stalled',
  stage: 'privatize',
  since: '2026-03-05T01:02:03.456Z',
  charge: 'c',
  manifestDigest: null,
  verdict: null,
  attention: [],
  required: 1,
  elsewhere: 0,
  decisions: [],
  refusals: 0,
  location: null,
  ending: null,
  expiresAt: '2026-03-26T04:05:06.789Z',
  publishNotBefore: null,
  waitingFor: null,
  sourceChanges: null,
  partitions: [
    { part: 'bus', day: '2026-03-02', state: 'drawn' },
    { part: 'bus', day: '2026-03-03', state: 'binned' },
    { part: 'bus', day: '2026-03-04', state: 'failed', code: 'OBJECT_MISSING' },
  ],
  stall: {
    activity: 'privatize',
    code: 'WORKER_LOST',
    message: 'lost',
    attempts: 7,
    from: 'running',
    since: '2026-03-05T01:02:03.456Z',
  },
  retraction: null,
} as unknown as ReleaseStatus & { retraction: null };

test('C18: times, attempts and which partitions are finished are for operators alone', () => {
  const seen = (role: Person['roles'][number]) => releaseView(STATUS, [role], 'UTC');
  for (const role of ['viewer', 'approver'] as const) {
    const text = JSON.stringify(seen(role));
    expect(text.match(/01:02|04:05|7 attempts|"binned"|"drawn"|ingest|privatize/g)).toBeNull();
    expect(seen(role).partitions.map(({ state }) => state)).toEqual(['pending', 'pending', 'failed']);
  }
  // Once it waits with what failed, its public state says already that all others are drawn.
  const [drawn, , failed] = STATUS.partitions;
  const held = { ...STATUS, state: 'partitions-failed' as const, stall: null, partitions: [drawn!, failed!] };
  expect(releaseView(held, ['approver'], 'UTC').partitions.map(({ state }) => state)).toEqual(['drawn', 'failed']);
  const text = JSON.stringify(seen('operator'));
  for (const word of ['01:02', '04:05', '7 attempts', '"binned"', 'privatize']) expect(text).toContain(word);
  expect(wholeHour(STATUS.expiresAt!)).toBe('2026-03-26T04:00:00Z');
});

describe('texts of others', () => {
  test('no text of any page holds what is not shown, or is endless', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { a } = clean({ a: [text] });
        expect(a[0]).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 200 },
    );
    expect(clean('x'.repeat(1e6)).length).toBeLessThan(3002);
    expect(clean(Array.from({ length: 1e5 }, () => 'a')).length).toBe(8000);
  });

  test('nothing in a statement becomes HTML', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '<script>',
            '`',
            '|',
            '# ',
            '- ',
            '[a](javascript:b)',
            '**',
            '\n',
            '"',
            "'",
            '&lt;b&gt;',
            'x',
          ),
        ),
        (pieces) => {
          const page = markdownPage(pieces.join('')).map(String).join('');
          expect(page.match(/<(?!\/?(p|h3|h4|ul|li|code|pre|div|table|thead|tbody|tr|th|td)\b)/g)).toBeNull();
          expect(page).not.toMatch(/href|<script/);
        },
      ),
    );
  });
});
