import type { RejectReason } from '../source/clean-lines.ts';

/** Why a row, or one of its taps, is not counted, and what helps. */
const WORDS: Readonly<Record<RejectReason, string>> & Readonly<Record<string, string>> = {
  'field-count': 'the line has another number of fields than the header: source.csv.delimiter, or source.csv.ragged',
  'quote-misplaced': 'a quote is within a field',
  'quote-unclosed': 'a quote has no end on its line: each line is a row, also inside a field',
  'control-character': 'the line holds a control character',
  'line-too-long': 'the line is longer than lines may be',
  'not-utf8': 'the text is not UTF-8: source.encoding',
  'not-json': 'the line is no JSON object',
  'no-tap': 'the row has no tap',
  'time-unreadable': 'the time is not written as source.clock says',
  'time-outside-day': 'the time is of no day that the object feeds, or of no hour of the traffic day',
  'time-nonexistent': 'the clock jumped over this time',
  'card-missing': 'the row has no card id of the form that source.card names, and the unit needs one',
  'tap-unknown':
    "the tap is neither `on` nor `off`; a select makes it of other words: CASE WHEN … THEN 'on' … END AS tap",
  'value-unusable': 'a value is too long, or of a form that no column has',
  'mode-unknown': 'the mode is not one of the series',
  'mode-undeclared': 'the mode is not that of the object',
  'day-undeclared': 'the day is not that of the object',
};

/** A line for each of these reasons, for custodians; those that a kind of its own has say enough by their names. */
export const rejectWords = (reasons: Iterable<string>): string[] =>
  [...new Set(reasons)]
    .sort()
    .filter((reason) => reason in WORDS)
    .map((reason) => `  ${reason}: ${WORDS[reason]}`);
