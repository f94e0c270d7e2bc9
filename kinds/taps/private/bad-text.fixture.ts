import type { ErrorCode } from '../../../contracts/errors.ts';
import type { RejectReason } from '../../../custodian/source/clean-lines.ts';

/** Bad input in ragged lines and in JSON documents, for bad-input.test.ts. */

/** Planted in every bad input. */
export const CANARY = 'CANARY7f3a';
export const DAY = '2026-03-02';
export const GOOD = `${DAY} 08:00,2000,${DAY} 08:20,2010\n`;
export const jsonGood = `${JSON.stringify({ on_time: `${DAY} 08:00`, on_location: 2000, off_time: `${DAY} 08:20`, off_location: 2010 })}\n`;

export const RAGGED = {
  csv: { delimiter: '\t', header: ['on_time', 'on_location', 'off_time', 'off_location', 'note'], ragged: true },
};
export const raggedGood = GOOD.replaceAll(',', '\t');
const JSON_DOCUMENT = { format: 'json', pattern: '{date}/{mode}.json', json: { list: 'data.trips', first: 'on_time' } };
export const document = (...rows: string[]): string =>
  `{"updated": 1, "data": {"note": "a [ in it", "trips": [${rows.join(', ')}], "count": 2}}`;

type Reason = RejectReason | 'no-tap' | 'time-unreadable';
type Change = Record<string, unknown>;

/** The row before the good one and after it. */
function inDocument(what: string, reason: Reason, row: string): [string, Reason[], Buffer, Change][] {
  const of = (...rows: string[]): Buffer => Buffer.from(document(...rows), 'latin1');
  return [
    [`a row of a document ${what}`, [reason], of(row, jsonGood), JSON_DOCUMENT],
    [`a last row of a document ${what}`, [reason], of(jsonGood, row), JSON_DOCUMENT],
  ];
}

/** Objects that are at fault as a whole. */
export const DOCUMENT_FAULTS: [kind: string, code: ErrorCode, content: string, change: Change][] = [
  ['an empty JSON document', 'OBJECT_SCHEMA', '', JSON_DOCUMENT],
  ['a JSON document without its list', 'OBJECT_SCHEMA', `{"updated": 1, "rows": [{"x": "${CANARY}"}]}`, JSON_DOCUMENT],
  [
    'a JSON document with another list first',
    'OBJECT_SCHEMA',
    `{"x": ["${CANARY}"], ${document('').slice(1)}`,
    JSON_DOCUMENT,
  ],
  [
    'a JSON document that begins with 100 kB',
    'OBJECT_SCHEMA',
    `{"x": "${CANARY.repeat(10_000)}", ${document('').slice(1)}`,
    JSON_DOCUMENT,
  ],
  [
    'CSV where a JSON document is declared',
    'OBJECT_SCHEMA',
    `on_time,on_location\n${CANARY},,,\n${GOOD}`,
    JSON_DOCUMENT,
  ],
];

/** Rows that are rejects. */
export const RAGGED_REJECTS: [kind: string, reasons: Reason[], content: string, change: Change][] = [
  ['a ragged row of too many fields', ['field-count'], `${CANARY}${'\t'.repeat(5)}\n${raggedGood}`, RAGGED],
  ['a ragged row of one field', ['time-unreadable'], `${CANARY}\n${raggedGood}`, RAGGED],
  ['a ragged row of blanks', ['no-tap'], ` \t \t${CANARY.replace(/./g, ' ')}\n${raggedGood}`, RAGGED],
  ['a ragged row with a quote', ['quote-unclosed'], `x\t"${CANARY}\n${raggedGood}`, RAGGED],
  ['a ragged line of 10 MB', ['line-too-long'], `${CANARY.repeat(1_000_000)}\n${raggedGood}`, RAGGED],
  ['a ragged line of 10 MB of tabs', ['line-too-long'], `${raggedGood}${'\t'.repeat(10_000_000)}`, RAGGED],
];
export const DOCUMENT_REJECTS = [
  ...inDocument('that breaks off', 'not-json', `{"on_time": "${CANARY}`),
  ...inDocument('with a quote too many', 'not-json', `{"on_time": "${CANARY}"y"}`),
  ...inDocument('with a bracket too many', 'time-unreadable', `{"on_time": "${CANARY}"}]}`),
  ...inDocument('with a bracket too few', 'not-json', `{"on_time": ["${CANARY}"}`),
  ...inDocument('with a list in it', 'time-unreadable', `{"on_time": "${CANARY}", "legs": [{"x": 1}, {"y": 2}]}`),
  ...inDocument('that begins with another name', 'not-json', `{"x": "${CANARY}", "on_time": "${DAY} 09:00"}`),
  ...inDocument('that is a list', 'not-json', `["${CANARY}"]`),
  ...inDocument('that is null', 'not-json', 'null'),
  ...inDocument('with a line end within a text', 'not-json', `{"on_time": "${CANARY}\n"}`),
  ...inDocument('that is no UTF-8', 'not-utf8', `{"on_time": "${CANARY}\xff"}`),
  ...inDocument('of 10 MB', 'line-too-long', `{"on_time": "${CANARY.repeat(1_000_000)}"}`),
  ...inDocument('over the limit', 'line-too-long', `{"on_time": "${CANARY.repeat(410)}"}`),
  ...inDocument('of brackets', 'line-too-long', `{"on_time": ${'['.repeat(200_000)}}`),
];
