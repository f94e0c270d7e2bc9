import type { z } from 'zod';
import { type ErrorCode, OpalineError } from '../../contracts/errors.ts';
import { fieldName, formatIssue, type ReportIssue, type SeriesIssue } from '../../contracts/series-issue.ts';
import { readBoundedFile } from './bounded-file.ts';
import { has } from './fields.ts';
import { schemaMistakes } from './sentences.ts';
import { readYaml } from './yaml.ts';

/** A policy, a deployment of a project, or a configuration names some stores, keys or vehicles. */
export const PEOPLE_FILE_BYTES = 2 ** 20;

/**
 * Reads a YAML file that a person wrote: by its schema, then by rules that no schema says. Throws the code with every
 * mistake, its line and field; values may be credentials, and are not repeated.
 */
export async function readPeopleFile<Schema extends z.ZodType>(
  path: string,
  code: ErrorCode,
  schema: Schema,
  checkRules: (file: z.output<Schema>, report: ReportIssue) => void = () => undefined,
): Promise<z.output<Schema>> {
  const issues: SeriesIssue[] = [];
  const refusal = () => new OpalineError(code, issues.map(formatIssue).join('\n'));
  const { bytes, refusal: unread } = await readBoundedFile(path, PEOPLE_FILE_BYTES);
  const { value, mistakes, locate } = readYaml(bytes?.toString('utf8') ?? '');
  const sentence = unread === 'too large' ? 'The file is larger than 1 MiB.' : 'The file cannot be read.';
  for (const mistake of unread === null ? mistakes : [{ line: 1, column: 1, sentence }])
    issues.push({ file: path, field: '', ...mistake });
  if (issues.length > 0) throw refusal();
  const report: ReportIssue = (at, what) => {
    issues.push({ file: path, ...locate(at), field: fieldName(at), sentence: what });
  };
  const file = schema.safeParse(value);
  if (file.success) checkRules(file.data, report);
  else for (const one of schemaMistakes(file.error.issues, (at) => has(value, at))) report(one.path, one.sentence);
  if (!file.success || issues.length > 0) throw refusal();
  return file.data;
}
