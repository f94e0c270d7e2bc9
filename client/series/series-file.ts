import { isRecord } from '../../contracts/is-record.ts';
import { type Series, seriesSchema, USUAL_KIND } from '../../contracts/series.ts';
import { fieldName, type ReportIssue, SeriesFileError, type SeriesIssue } from '../../contracts/series-issue.ts';
import { type ChargedText, combine } from '../../core/accounting/charged-amount.ts';
import { dayEnds } from '../../core/calendar/day-ends.ts';
import { mostDays, tooManyPartitions } from '../../core/calendar/window.ts';
import { formatRational, parseRational } from '../../core/rational/rational.ts';
import type { ClientKind } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { has } from '../../services/files/fields.ts';
import { schemaMistakes } from '../../services/files/sentences.ts';
import { readYaml, type YamlFile } from '../../services/files/yaml.ts';
import { signatureFile } from '../../services/orders/series-signature.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { COMMON_RULES, type CommonParts, sourceRule } from './common-rules.ts';

/** A series file that was read and checked, in the form in which it is stored. */
export type LoadedSeries = Awaited<ReturnType<typeof loadSeriesFile>>;

/** A series file is some kilobytes long. */
const MOST_BYTES = 2 ** 20;

/**
 * Reads a series file with the lists that it names. `sources`: the source stores there are; null: not known.
 * Throws SERIES_INVALID (a SeriesFileError, with the issues as values) that names every mistake.
 */
export async function loadSeriesFile(
  path: string,
  kinds: Readonly<Record<string, ClientKind>> = CLIENT_KINDS,
  sources: readonly string[] | null = null,
) {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null) {
    const sentence =
      refusal === 'too large'
        ? 'The series file is larger than 1 MiB; lists go into files of their own.'
        : 'The series file cannot be read; check its name.';
    throw new SeriesFileError([{ file: path, line: 1, column: 1, field: '', sentence }]);
  }
  const yaml = readYaml(bytes.toString('utf8'));
  const issues: SeriesIssue[] = yaml.mistakes.map((mistake) => ({ file: path, field: '', ...mistake }));
  const report: ReportIssue = (field, sentence) => {
    issues.push({ file: path, ...yaml.locate(field), field: fieldName(field), sentence });
  };
  const kind = issues.length > 0 ? null : kindOfFile(yaml, kinds, report);
  if (!kind) throw new SeriesFileError(issues);
  const { file, parts } = parse(yaml, kind.fileSchema, report);
  for (const rule of COMMON_RULES) rule(parts, report);
  if (sources) sourceRule(yaml.value, sources, report);
  const [inLists, before] = [[] as SeriesIssue[], issues.length];
  const isSound = (): boolean => issues.length === before && inLists.length === 0;
  const content = await kind.check(parts, { path, report, inLists, isSound });
  issues.sort((a, b) => a.line - b.line || a.column - b.column);
  if (!file || issues.length + inLists.length > 0) throw new SeriesFileError([...issues, ...inLists]);
  const form = content.stored(inStoredForm(file as CommonFile));
  const series = seriesSchema.parse(form);
  const mistake = tooManyPartitions(kind.terms(series).parts, mostDays(series));
  if (mistake) {
    report(['window'], mistake);
    throw new SeriesFileError(issues);
  }
  const seriesBytes = jsonBytes({ ...form, kind: series.kind === USUAL_KIND ? undefined : series.kind });
  const { bytes: signature } = await readBoundedFile(signatureFile(path), MOST_BYTES);
  const byDigest = new Map(content.lists.map((list) => [list.digest, list]));
  return {
    series,
    /** Canonical JSON of the series: what is stored, and what the digest is of. */
    seriesBytes,
    /** SHA-256; the same content gives the same digest, however the file is laid out. */
    digest: sha256(seriesBytes),
    /** The public lists that it names. */
    dictionaries: [...byDigest.values()],
    /** The bytes of the signature file next to it; null: there is none. */
    signature,
  };
}

/** The kind that the file names, or the usual one; null when no kind has that name. */
function kindOfFile(
  { value }: YamlFile,
  kinds: Readonly<Record<string, ClientKind>>,
  report: ReportIssue,
): ClientKind | null {
  const name = isRecord(value) && value.kind !== undefined ? String(value.kind) : USUAL_KIND;
  if (Object.hasOwn(kinds, name)) return kinds[name]!;
  report(['kind'], `There is no such kind; write ${Object.keys(kinds).join(' or ')}.`);
  return null;
}

/** The file if it fits the schema, and those of its top-level parts that do. */
function parse(
  { value }: YamlFile,
  schema: ClientKind['fileSchema'],
  report: ReportIssue,
): { file: object | null; parts: CommonParts } {
  const whole = schema.safeParse(value);
  if (whole.success) return { file: whole.data, parts: whole.data };
  for (const { path, sentence } of schemaMistakes(whole.error.issues, (path) => has(value, path)))
    report(path, sentence);
  const bad = new Set(whole.error.issues.map(({ path }) => String(path[0])));
  const good = isRecord(value) ? Object.entries(value).filter(([key]) => key in schema.shape && !bad.has(key)) : [];
  const parts = schema.partial().safeParse(Object.fromEntries(good));
  return { file: null, parts: parts.success ? parts.data : {} };
}

const lowestTerms = (amount: string): string => formatRational(parseRational(amount));

/** The fields of every kind, of a file without mistakes. */
type CommonFile = Required<Pick<CommonParts, 'day'>> & {
  privacy: { epsilon: string; delta: string; caps: Series['privacy']['caps'] };
};

/** A checked file with its common fields in their stored form: nothing left to defaults, amounts exact. */
function inStoredForm(file: CommonFile): object {
  const { privacy, day } = file;
  const exact = (amounts: ChargedText): ChargedText => combine([amounts], ([one]) => lowestTerms(one!));
  const { epsilon, delta } = privacy;
  return {
    ...file,
    format: 'opaline-series/3',
    day: { starts: day.starts, ends: dayEnds(day) },
    privacy: {
      ...privacy,
      ...exact({ epsilon, delta }),
      caps: { block: exact(privacy.caps.block), year: exact(privacy.caps.year) },
    },
  };
}
