import { jsonBytes, sha256 } from '../../activities/stores/json-objects.ts';
import { type Series, type SeriesFile, seriesFileSchema, seriesSchema } from '../../contracts/series.ts';
import { readEpsilon } from '../../core/certificate/certificate.ts';
import { formatSplit, readSplit } from '../../core/certificate/split.ts';
import { formatRational, parseRational } from '../../core/rational/rational.ts';
import { readTimetable } from './audit-rules.ts';
import { readBoundedFile } from './bounded-file.ts';
import { type LoadedDictionary, readDictionaries } from './dictionaries.ts';
import { type FieldPath, fieldName, type ReportIssue, SeriesFileError, type SeriesIssue } from './issue.ts';
import { dayEnds, normalKey, SERIES_RULES } from './rules.ts';
import { schemaMistakes } from './sentences.ts';
import { checkSource } from './source-rules.ts';
import { readYaml, type YamlFile } from './yaml.ts';

/** A series file that was read and checked, in the form in which it is stored. */
export type LoadedSeries = {
  series: Series;
  /** Canonical JSON of the series: what is stored, and what the digest is of. */
  seriesBytes: Buffer;
  /** SHA-256; the same content gives the same digest, however the file is laid out. */
  digest: string;
  /** Location dictionaries, and the timetable when there is one. */
  dictionaries: LoadedDictionary[];
};

/** A series file is some kilobytes long. */
const MOST_BYTES = 2 ** 20;

type Checked = {
  file: SeriesFile | null;
  dictionaries: Map<string, LoadedDictionary>;
  timetable: LoadedDictionary | null;
  issues: SeriesIssue[];
};

/**
 * Reads a series file with its dictionaries.
 * Throws SERIES_INVALID (a SeriesFileError, with the issues as values) that names every mistake.
 */
export async function loadSeriesFile(path: string): Promise<LoadedSeries> {
  const { file, dictionaries, timetable, issues } = await check(path);
  if (!file || issues.length > 0) throw new SeriesFileError(issues);
  const series = storedSeries(file, dictionaries, timetable);
  const seriesBytes = jsonBytes(series);
  const files = [...dictionaries.values(), ...(timetable ? [timetable] : [])];
  const byDigest = new Map(files.map((dictionary) => [dictionary.digest, dictionary]));
  return { series, seriesBytes, digest: sha256(seriesBytes), dictionaries: [...byDigest.values()] };
}

async function check(path: string): Promise<Checked> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null) {
    const sentence =
      refusal === 'too large'
        ? 'The series file is larger than 1 MiB; lists of locations go into dictionaries.'
        : 'The series file cannot be read; check its name.';
    const issues = [{ file: path, line: 1, column: 1, field: '', sentence }];
    return { file: null, dictionaries: new Map(), timetable: null, issues };
  }
  const yaml = readYaml(bytes.toString('utf8'));
  const issues = yaml.mistakes.map((mistake) => ({ file: path, field: '', ...mistake }));
  if (issues.length > 0) return { file: null, dictionaries: new Map(), timetable: null, issues };
  const own: SeriesIssue[] = [];
  const report: ReportIssue = (field, sentence) => {
    own.push({ file: path, ...yaml.locate(field), field: fieldName(field), sentence });
  };
  const { file, parts } = parse(yaml, report);
  for (const rule of SERIES_RULES) rule(parts, report);
  await checkSource(parts, report);
  const inDictionaries: SeriesIssue[] = [];
  const dictionaries = parts.bins ? await readDictionaries(path, parts.bins, report, inDictionaries) : new Map();
  const timetable = await readTimetable(path, parts.audit, report, inDictionaries);
  own.sort((a, b) => a.line - b.line || a.column - b.column);
  return { file, dictionaries, timetable, issues: [...own, ...inDictionaries] };
}

/** The file if it fits the schema, and those of its top-level parts that do. */
function parse({ value }: YamlFile, report: ReportIssue): { file: SeriesFile | null; parts: Partial<SeriesFile> } {
  const whole = seriesFileSchema.safeParse(value);
  if (whole.success) return { file: whole.data, parts: whole.data };
  for (const { path, sentence } of schemaMistakes(whole.error.issues, (path) => has(value, path)))
    report(path, sentence);
  const bad = new Set(whole.error.issues.map(({ path }) => String(path[0])));
  const good = isRecord(value)
    ? Object.entries(value).filter(([key]) => key in seriesFileSchema.shape && !bad.has(key))
    : [];
  const parts = seriesFileSchema.partial().safeParse(Object.fromEntries(good));
  return { file: null, parts: parts.success ? parts.data : {} };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function has(value: unknown, path: FieldPath): boolean {
  let at = value;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === 'number') at = at[step];
    else if (isRecord(at) && Object.hasOwn(at, String(step))) at = at[String(step)];
    else return false;
  }
  return at !== undefined;
}

const lowestTerms = (amount: string): string => formatRational(parseRational(amount));

/** A checked file in its stored form: nothing left to defaults, amounts exact, dictionaries by digest. */
function storedSeries(
  file: SeriesFile,
  dictionaries: ReadonlyMap<string, LoadedDictionary>,
  timetable: LoadedDictionary | null,
): Series {
  const { privacy, bins, gate, audit } = file;
  const cap = ({ epsilon, delta }: { epsilon: string; delta: string }) => ({
    epsilon: lowestTerms(epsilon),
    delta: lowestTerms(delta),
  });
  const locations = Object.entries(bins.locations).map(([mode, { unknown }]) => [
    mode,
    { dictionary: dictionaries.get(mode)?.digest, unknown },
  ]);
  return seriesSchema.parse({
    ...file,
    format: 'opaline-series/1',
    day: { starts: file.day.starts, ends: dayEnds(file.day) },
    bins: { ...bins, locations: Object.fromEntries(locations) },
    ...(audit && { audit: { ...audit, ...(timetable && { timetable: timetable.digest }) } }),
    privacy: {
      ...privacy,
      epsilon: lowestTerms(privacy.epsilon),
      delta: lowestTerms(privacy.delta),
      split: formatSplit(readSplit(readEpsilon(privacy.epsilon), privacy.split)),
      caps: { block: cap(privacy.caps.block), year: cap(privacy.caps.year) },
    },
    gate: {
      ...gate,
      approvers: gate.approvers.map((approver) => ({ ...approver, key: normalKey(approver.key) })),
    },
  });
}
