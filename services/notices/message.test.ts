import { expect, test } from 'vitest';
import { NOTICE_STATES, type Notice } from '../../contracts/notices.ts';
import { wrongActivityInput } from '../../contracts/sent-values.ts';
import { ANY_BASIS } from '../../test/support/trust-files.ts';
import { decisionStatement, statementBytes } from '../signing/decision-statement.ts';
import { decisionWords } from '../signing/decision-words.ts';
import { decisionMessage, noticeMessage } from './message.ts';

const ZONE = 'Australia/Sydney';
const RUN = { series: 'demo-taps', window: '2026-03-02', version: 2, seriesDigest: 'a'.repeat(64) };
const NOTICE: Notice = {
  about: 'release',
  state: 'stalled',
  at: '2026-03-10T05:00:00.000Z',
  verdict: null,
  attention: [],
  code: 'STORE_UNAVAILABLE',
  failed: 0,
  expiresAt: null,
};

const CHANGED = {
  object: '2026-03-02/bus.csv',
  change: 'replaced' as const,
  partitions: [{ part: 'bus', day: '2026-03-02' }],
};
const SOURCES = { about: 'sources' as const, state: 'published' as const, code: null, changed: [CHANGED] };

test('C13: objects that changed since are named, with the correction of all that their names can feed', () => {
  const { subject, sentences, commands } = noticeMessage(RUN, { ...NOTICE, ...SOURCES }, ZONE);
  expect(subject).toBe('The source of demo-taps/2026-03-02/v2 has changed since');
  expect(sentences).toContain('2026-03-02/bus.csv: replaced.');
  expect(commands.at(-1)).toBe(
    'opaline correct demo-taps/2026-03-02/v2 --partition bus/2026-03-02 --reason object-corrected --key KEY.pem',
  );
});

test('every state has its words and a command that says more', () => {
  const subjects = NOTICE_STATES.map((state) => noticeMessage(RUN, { ...NOTICE, state }, ZONE));
  expect(new Set(subjects.map(({ subject }) => subject)).size).toBe(NOTICE_STATES.length);
  for (const { commands } of subjects) {
    expect(commands[0]).toBe('opaline show demo-taps/2026-03-02/v2');
    expect(commands.length).toBeGreaterThan(1);
  }
});

test('the same notice has the same id, and another time, state or release another one', () => {
  const ids = [
    noticeMessage(RUN, NOTICE, ZONE),
    noticeMessage({ ...RUN }, { ...NOTICE }, ZONE),
    noticeMessage(RUN, { ...NOTICE, at: '2026-03-10T05:00:01.000Z' }, ZONE),
    noticeMessage({ ...RUN, version: 3 }, NOTICE, ZONE),
  ].map(({ id }) => id);
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(3);
});

test('what holds the release up is told by its code, and a retraction is told as one', () => {
  expect(noticeMessage(RUN, NOTICE, ZONE).sentences.join(' ')).toContain('STORE_UNAVAILABLE: ');
  const { subject, commands } = noticeMessage(RUN, { ...NOTICE, about: 'retraction', state: 'waiting' }, ZONE);
  expect(subject).toBe('The retraction of demo-taps/2026-03-02/v2 waits at the gate');
  expect(commands[1]).toBe('opaline retract demo-taps/2026-03-02/v2 --reason data-wrong --key me.pem');
});

test('a reminder says that the gate waits still, for how many more, and is another notice', () => {
  const open = { ...NOTICE, state: 'waiting', code: null } as const;
  const { id, subject, sentences } = noticeMessage(RUN, { ...open, reminder: { signed: 1, required: 2 } }, ZONE);
  expect(subject).toBe('demo-taps/2026-03-02/v2 still waits at the gate');
  expect(sentences).toContain('1 of 2 approvals are there.');
  expect(id).not.toBe(noticeMessage(RUN, open, ZONE).id);
  const { sentences: told } = noticeMessage(RUN, { ...open, expiresAt: '2026-03-30T20:00:00.000Z' }, ZONE);
  expect(told).toContain('It is so since 2026-03-10 16:00 (Australia/Sydney).');
  expect(told).toContain('The gate closes at 2026-03-31 07:00 (Australia/Sydney).');
});

test('C20: nothing but what a notice has can be sent, and nothing that could be pasted by mistake', () => {
  const wrong = (notice: object) => wrongActivityInput('notify', { ...RUN, notice, channel: 'email' });
  expect(wrong(NOTICE)).toBeNull();
  expect(wrong({ ...NOTICE, reminder: { signed: 0, required: 2 } })).toBeNull();
  expect(wrong({ ...NOTICE, ...SOURCES })).toBeNull();
  expect(wrong({ ...NOTICE, state: 'waiting', attention: ['usual-taps', 'holes'] })).toBeNull();
  for (const change of [
    { attention: ['holes; rm -rf ~'] },
    { at: '2026-03-10 (see http://example.org)' },
    { expiresAt: '2026-03-10T05:00:00.000Z (call us)' },
    { code: 'constructor' },
    { code: 'toString' },
    { state: 'published' },
    { about: 'you' },
    { failed: -1 },
    { verdict: 'fine' },
    { ...SOURCES, state: 'stalled' },
    { ...SOURCES, changed: [{ ...CHANGED, object: 'a\nopaline retract' }] },
    { ...SOURCES, changed: [{ ...CHANGED, change: 'rewritten' }] },
    { reminder: { signed: 'ben', required: 1 } },
  ])
    expect(wrong({ ...NOTICE, ...change }), JSON.stringify(change)).toContain('notice');
});

test('C16: every approver reads a decision in the words of its signed bytes, with its digest and the way back', () => {
  const request = { release: RUN, manifestDigest: 'ab'.repeat(32), subject: 'ada', acknowledged: [], ...ANY_BASIS };
  const statement = statementBytes(decisionStatement({ ...request, decision: 'approve', reason: 'audit-passed' }));
  const decision = 'cd'.repeat(32);
  const message = decisionMessage(RUN, { ...NOTICE, state: 'waiting', decision }, statement, ['ada@example.org']);
  expect(message.sentences.slice(0, -2)).toEqual(decisionWords(statement));
  expect(message.sentences.at(-2)).toContain(decision);
  expect(message).toMatchObject({
    subject: 'demo-taps/2026-03-02/v2 was decided on',
    people: ['ada@example.org'],
    commands: [
      'opaline show demo-taps/2026-03-02/v2',
      'opaline withdraw demo-taps/2026-03-02/v2 --code not-what-was-shown --key me.pem',
    ],
  });
});
