import { expect, test } from 'vitest';
import { needOfRelease } from '../client/needs.ts';
import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import { inWords, RELEASE_STATES, type ReleaseState } from '../contracts/release-state.ts';
import type { PageData } from './data.ts';
import { homePage, releaseTable } from './pages/list-pages.ts';
import { statusPage } from './pages/release-page.ts';
import { logPage, pageRefusal, refusalPage } from './pages/small-pages.ts';
import { releaseView } from './release-view.ts';
import { clean } from './safe-text.ts';
import type { Role } from './sessions.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const NAME = { series: 'small', window: '2026-03-02', version: 1 };

/** A release in a state, which a code holds up in every way that there is. */
const statusOf = (state: ReleaseState, code: ErrorCode) => ({
  ...NAME,
  state,
  stage: 'privatize',
  verdict: 'attention',
  firstVerdict: null,
  attention: ['usual-taps'],
  decisions: [],
  required: 2,
  refusals: 1,
  charge: 'c',
  correction: null,
  manifestDigest: null,
  location: null,
  expiresAt: '2026-03-09T10:20:30.000Z',
  publishNotBefore: null,
  coolingHours: 0,
  coolingUntil: null,
  waitingFor: null,
  sourceChanges: null,
  publication: { place: 'https://open.example', isThere: false },
  stall: {
    activity: 'binObject',
    code,
    message: 'A message.',
    attempts: 7,
    since: '2026-03-02T01:02:03.000Z',
    from: null,
  },
  ending: { code, message: 'A message.' },
  partitions: [
    { part: 'bus', day: '2026-03-02', state: 'failed', code, object: 'a.parquet', message: 'A message.' },
    { part: 'bus', day: '2026-03-03', state: 'abandoned', code, object: null, message: null },
  ],
  retraction: {
    state: 'stalled',
    by: [],
    signed: 1,
    required: 2,
    reasons: [],
    stall: {
      activity: 'retract',
      code,
      message: 'A message.',
      attempts: 1,
      since: '2026-03-02T01:02:03.000Z',
      from: null,
    },
  },
});

/** What people read of a page: no tags, and no addresses. */
const textOf = async (body: unknown): Promise<string> => String(await body).replace(/<[^>]*>/g, ' ');

/** What is a code, or of the machinery. */
const CODE = new RegExp(
  `\\b[A-Z]{2,}(?:_[A-Z]+)+\\b|\\b(?:${RELEASE_STATES.filter((one) => one.includes('-')).join('|')})\\b|Temporal|DuckDB|\\bS3\\b|workflow|\\(C\\d|[a-z](?:Partitions|Stage)\\b`,
);

const sessionOf = (role: Role) =>
  ({ person: { subject: 'a@example.org', account: '', roles: [role] }, token: 't', draft: null }) as never;

test.each(RELEASE_STATES)('a manager reads no code of a release that is %s, whatever holds it up', async (state) => {
  for (const role of ['viewer', 'approver'] as const)
    for (const code of CODES) {
      const status = statusOf(state, code) as never;
      const decision = {
        outcome: 'refused',
        subject: 'b',
        decision: '',
        reason: '',
        acknowledged: [],
        note: null,
        code,
      };
      const page = clean({
        release: releaseView(status, [role], 'UTC'),
        versions: [{ release: 'small/2026-03-02/v2', state }],
        decisions: [decision],
      }) as PageData['release'];
      const text = await textOf(statusPage(page, sessionOf(role)).body);
      expect([code, CODE.exec(text)?.[0]]).toEqual([code, undefined]);
      expect(text).toContain(inWords(code));
      const row = { release: 'small/2026-03-02/v1', state, failed: 1, partitions: 2, verdict: 'fail', startedAt: null };
      const lists: string[] = [await textOf(releaseTable([row as never]))];
      for (const retraction of [null, statusOf(state, code).retraction]) {
        const line = { ...NAME, state, open: status, publication: null, retraction } as never;
        const data = {
          needs: [needOfRelease(line, 'UTC', null) ?? []].flat(),
          running: [],
          schedules: [],
          budgets: [],
        };
        lists.push(await textOf(homePage(clean({ ...data, doctor: null }), [role]).body));
      }
      expect([code, CODE.exec(lists.join('\n'))?.[0]]).toEqual([code, undefined]);
    }
});

test('nor in the log, nor of what was refused; a program reads the code', async () => {
  for (const code of [...CODES, 'TOKEN_REFUSED', 'STATEMENT_GONE']) {
    const { body, data } = refusalPage(pageRefusal(409, code, 'A message.'));
    const record = {
      at: '2026-03-02',
      subject: 'a',
      account: '',
      action: 'retryPartitions',
      about: '',
      outcome: 'refused',
    };
    const log = logPage({ days: 30, records: [{ ...record, code } as never] });
    const text = `${await textOf(body)} ${await textOf(log.body)}`;
    expect([code, CODE.exec(text)?.[0]]).toEqual([code, undefined]);
    expect(text).toContain(inWords(code));
    expect(data).toMatchObject({ code });
  }
});
