import { OpalineError } from './errors.ts';

/** One mistake of a series file, or of a dictionary that it names. */
export type SeriesIssue = {
  /** The file as the user named it. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  /** Path of the field, `gate.approvers[0].key`; empty for the file as a whole. */
  field: string;
  /** What is wrong and what to do. */
  sentence: string;
};

/** Place of a field in a series file: keys, and places in lists. */
export type FieldPath = readonly (string | number)[];

/** Says what is wrong with a field; where it is in the file is found out elsewhere. */
export type ReportIssue = (path: FieldPath, sentence: string) => void;

/** `gate.approvers[0].key` */
export const fieldName = (path: FieldPath): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  );

/** `file:line:column field — sentence` */
export const formatIssue = ({ file, line, column, field, sentence }: SeriesIssue): string =>
  `${file}:${line}:${column} ${field === '' ? '' : `${field} — `}${sentence}`;

/** SERIES_INVALID with every mistake of the file: one line each in the message, and as values for programs. */
export class SeriesFileError extends OpalineError {
  readonly issues: readonly SeriesIssue[];
  constructor(issues: readonly SeriesIssue[]) {
    super('SERIES_INVALID', issues.map(formatIssue).join('\n'));
    this.name = 'SeriesFileError';
    this.issues = issues;
  }
}

/** Runs a check of core/ or counts/ that throws, and reports its sentence at the field. */
export function runCheck(report: ReportIssue, path: FieldPath, check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (!(error instanceof OpalineError) && !(error instanceof RangeError)) throw error;
    report(path, /\.$/.test(error.message) ? error.message : `${error.message}.`);
    return false;
  }
}
