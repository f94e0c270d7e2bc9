import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { type LocationList, readLocationList, STOP_FIELDS } from '../client/project/location-list.ts';
import type { NamedApprover, ProjectAnswers } from '../client/project/project-answers.ts';
import {
  formatByName,
  type SampleEncoding,
  type SampleFormat,
  sampleColumns,
} from '../client/project/sample-columns.ts';
import { UNIT_NAMES } from '../contracts/certificate.ts';
import { OpalineError } from '../contracts/errors.ts';
import { amount, ENCODINGS, seriesName, WEEKDAYS } from '../contracts/series.ts';
import { storeAt } from '../contracts/source-address.ts';
import type { StoreConfiguration } from '../contracts/store-configuration.ts';
import { UNITS } from '../counts/certificate/units.ts';
import { CANONICAL_COLUMNS, CARD_FORMS, CLOCKS } from '../kinds/taps/series.ts';
import { openStore } from '../services/stores/open-store.ts';
import { readKey } from './key-file.ts';
import { type Ask, answer } from './questions.ts';

/** Ways to write a time, for people. */
export const CLOCK_NAMES = CLOCKS.join(', ');

/** The options of `opaline init`, as they are written. */
export type InitOptions = {
  name?: string;
  population?: string;
  organisation?: string;
  title?: string;
  licence?: string;
  source?: string;
  sample?: string;
  pattern?: string;
  delimiter: string;
  encoding?: string;
  header?: string;
  rows?: string;
  clock?: string;
  columns?: string[];
  modes?: string;
  timeZone?: string;
  windowDays?: string;
  firstWeekday?: string;
  locations?: string[];
  stopsBy: string;
  parentStations?: boolean;
  unit?: string;
  maxTaps?: string;
  card?: string;
  epsilon?: string;
  delta?: string;
  custodian?: string[];
  approver?: string[];
  required?: string;
  rootKey?: string;
};

const usage = (sentence: string): OpalineError => new OpalineError('USAGE', sentence);

/** Name of the source store of a project. */
const STORE = 'trips';

/** Asks for everything that a project needs; what an option says is not asked. Throws USAGE. */
export async function askProject(folder: string, options: InitOptions, ask: Ask | null): Promise<ProjectAnswers> {
  const one = <T>(option: string, words: string, usual: string | null, read: (text: string) => T | Promise<T>) =>
    answer({ option: `--${option}`, words, usual, read }, options[camel(option)] as string | undefined, ask);
  const text = (option: string, words: string, usual: string | null) => one(option, words, usual, (line) => line);
  if (ask === null) requireOptions(options);

  const series = await one('name', 'Name of the series', slug(basename(resolve(folder))), readName);
  const place = await one('source', 'Where is the data? A folder, or s3://BUCKET/PREFIX', null, readPlace);
  const modes = await one('modes', 'Modes, with commas between: bus,train', null, readNames);
  const sample = await one(
    'sample',
    'One file of it: the names of its columns are read, and none of its rows',
    null,
    (line) => readSample(place, line),
  );
  const pattern = await text('pattern', 'Names of all files, with {date}, {mode} and *', patternOf(sample.key, modes));
  const isParquet = sample.format.format === 'parquet';
  const readEncoding = (line: string) => among(line, ENCODINGS);
  const encoding = isParquet
    ? 'utf-8'
    : await one('encoding', 'How is its text written: utf-8, or latin-1?', 'utf-8', readEncoding);
  const header = await askHeader(sample, options, ask);
  const rows = await one('rows', 'What is a row: trips (a tap on and a tap off), or taps?', 'trips', (line) =>
    among(line, ['trips', 'taps'] as const),
  );
  const known = await knownColumns(place, sample, { delimiter: options.delimiter, encoding }, header);
  const columns = await askColumns(rows, known, options.columns, ask);
  const timeZone = await text('time-zone', 'Time zone, such as Europe/Zurich', ask ? ownZone() : null);
  const clock = await text('clock', `How are times written: ${CLOCK_NAMES}, or as %d.%m.%Y %H:%M:%S?`, 'local');
  const window = await askWindow(options, ask);
  const lists = await askLists(modes, options, ask);
  const unit = await one('unit', `What is protected: ${UNIT_NAMES.join(', ')}?`, rows.slice(0, -1), (line) =>
    among(line, UNIT_NAMES),
  );
  const isCard = UNITS[unit].cardScope !== null;
  const maxTaps = isCard ? await one('max-taps', 'How many taps of a card are counted?', null, readCount) : null;
  const card = isCard
    ? await one('card', 'What is a card id: text, or a whole number?', 'text', (line) => among(line, CARD_FORMS))
    : null;
  const epsilon = await one('epsilon', 'ε of one release (the same whatever the data is)', '8', readAmount);
  const delta = await one('delta', 'δ of one release', '1e-6', readAmount);
  const people = await askPeople(options, ask);
  return {
    series,
    population: await one('population', 'Name of the people that the source may hold', `${series}-riders`, readName),
    timeZone,
    organisation: await text('organisation', 'Who publishes?', series),
    title: await text('title', 'Title of the publication', series),
    licence: await text('licence', 'Licence of the publication', 'CC-BY-4.0'),
    source: {
      ...sample.format,
      store: STORE,
      place,
      pattern,
      encoding,
      delimiter: options.delimiter,
      header,
      rows,
      clock,
      columns,
      card,
    },
    modes,
    lists,
    window,
    privacy: { unit, maxTaps, epsilon, delta },
    ...people,
    required: await one('required', 'How many approvals does a release need?', '1', readCount),
    rootKey: options.rootKey === undefined ? null : await readKey(options.rootKey),
  };
}

/** What a script has to say: nothing is usual there. */
const NEEDED = ['source', 'sample', 'modes', 'columns', 'timeZone', 'locations', 'custodian', 'approver'] as const;

/** Names every option that is missing where nobody can be asked. Throws USAGE. */
function requireOptions(options: InitOptions): void {
  const isCard = UNIT_NAMES.some((unit) => unit === options.unit && UNITS[unit].cardScope !== null);
  const missing = [...NEEDED, ...(isCard ? (['maxTaps'] as const) : [])].filter((name) => options[name] === undefined);
  if (missing.length === 0) return;
  const named = missing.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw usage(
    `Nobody can be asked, so these are needed too: ${named.join(', ')}; \`opaline init --help\` says what they take.`,
  );
}

/** A month, or days from a weekday on. */
async function askWindow(options: InitOptions, ask: Ask | null): Promise<ProjectAnswers['window']> {
  const ofDays = { option: '--window-days', words: 'Days of one release, or month', usual: '7' };
  const days = await answer(
    { ...ofDays, read: (line) => (line === 'month' ? null : readCount(line)) },
    options.windowDays,
    ask,
  );
  if (days === null) return { months: 1 };
  const words = 'On which weekday does it begin?';
  const read = (line: string) => among(line, WEEKDAYS);
  const weekday = { option: '--first-weekday', words, usual: 'monday', read };
  return { days, firstWeekday: await answer(weekday, options.firstWeekday, ask) };
}

const camel = (option: string): keyof InitOptions =>
  option.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof InitOptions;

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50) || 'series';

function readName(line: string): string {
  if (seriesName.safeParse(line).success) return line;
  throw usage(`${line} is no name; use lower-case letters, digits and hyphens.`);
}

const readNames = (line: string): string[] => line.split(',').map((name) => readName(name.trim()));

function readCount(line: string): number {
  if (/^[1-9]\d{0,3}$/.test(line)) return Number(line);
  throw usage(`${line} is no whole number from 1 on.`);
}

function readAmount(line: string): string {
  if (amount.safeParse(line).success) return line;
  throw usage(`${line} is no positive number, such as 8, 1/2 or 1e-6.`);
}

function among<Word extends string>(line: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === line);
  if (word !== undefined) return word;
  throw usage(`${line} is none of ${words.join(', ')}.`);
}

const readPlace = (line: string): StoreConfiguration => storeAt(line.startsWith('s3://') ? line : resolve(line));

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

type Sample = { key: string; format: SampleFormat };

/** The key of a file in the source: as it is, or as a path into the folder of the source. */
async function readSample(place: StoreConfiguration, line: string): Promise<Sample> {
  const inside = place.kind === 'folder' ? relative(place.path, resolve(line)) : line;
  const key = inside.startsWith('..') ? line : inside.replaceAll('\\', '/');
  const format = formatByName(key);
  if (format === null)
    throw usage(`${key} does not say how it is written; name a .csv, .csv.gz, .zip, .parquet or .jsonl.`);
  const store = openStore(place);
  for (const each of [key, line]) if ((await store.head(each)) !== null) return { key: each, format };
  throw usage(`There is no ${key} in ${store.location}.`);
}

/** How names tell a time, the finest first. */
const TIMES: readonly [written: RegExp, placeholder: string][] = [
  [/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g, '{date}'],
  [/(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/g, '{yyyymmdd}'],
  [/(?<!\d)20\d{2}\/(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])(?!\d)/g, '{yyyy}/{mm}/{dd}'],
  [/(?<!\d)20\d{2}-(?:0[1-9]|1[0-2])(?!\d)/g, '{month}'],
  [/(?<!\d)20\d{2}(?:0[1-9]|1[0-2])(?!\d)/g, '{yyyymm}'],
  [/(?<!\d)20\d{2}-Q[1-4](?!\d)/g, '{quarter}'],
];

/** The pattern of a file's name: its time and its mode are those of any other. */
export const patternOf = (key: string, modes: readonly string[]): string => {
  const [written, placeholder] = TIMES.find(([form]) => key.search(form) >= 0) ?? [/$^/g, ''];
  const dated = key.replaceAll(written, placeholder);
  if (modes.length < 2) return dated;
  return dated.replace(new RegExp(`(?<![a-z0-9-])(${modes.join('|')})(?![a-z0-9-])`), '{mode}');
};

/** Names of the columns of a CSV without a header row; null: its first row names them, or it is no CSV. */
async function askHeader({ format }: Sample, options: InitOptions, ask: Ask | null): Promise<string[] | null> {
  if (format.format !== 'csv') return null;
  const read = (line: string) => (line === 'first row' ? null : line.split(',').map((name) => name.trim()));
  const words = 'Names of the columns, with commas between, where the first row is data already';
  return answer({ option: '--header', words, usual: 'first row', read }, options.header, ask);
}

/** The columns that are there; null where nothing may be read to find out. */
async function knownColumns(
  place: StoreConfiguration,
  { key, format: { format, compression } }: Sample,
  text: { delimiter: string; encoding: SampleEncoding },
  header: readonly string[] | null,
): Promise<readonly string[] | null> {
  if (header !== null || format === 'jsonl' || compression === 'zip') return header;
  return sampleColumns(openStore(place), key, { format, compression, ...text });
}

/**
 * Which column is what. In a script a column that is not there is named, and not those that are: without a header row
 * they would be values.
 */
async function askColumns(
  rows: 'trips' | 'taps',
  known: readonly string[] | null,
  given: readonly string[] | undefined,
  ask: Ask | null,
): Promise<Record<string, string>> {
  const check = (column: string): string => {
    if (known === null || known.includes(column)) return column;
    throw usage(`The file has no column ${column}.`);
  };
  if (given !== undefined) return Object.fromEntries(given.map((pair) => readColumn(pair, rows, check)));
  const columns: Record<string, string> = {};
  const shown = known === null ? '' : ` The file has: ${known.join(', ')}.`;
  for (const canonical of CANONICAL_COLUMNS[rows]) {
    const words = `Which column is ${canonical}${MEANT[canonical] ?? ''}? Empty: none.${Object.keys(columns).length === 0 ? shown : ''}`;
    const read = (line: string) => (line === '-' ? null : check(line));
    const column = await answer({ option: '--columns', words, usual: '-', read }, undefined, ask);
    if (column !== null) columns[canonical] = column;
  }
  return columns;
}

/** What a column has to say, where its name does not tell. */
const MEANT: Readonly<Record<string, string>> = { tap: ', which says on or off (a select makes it of other words)' };

function readColumn(pair: string, rows: 'trips' | 'taps', check: (column: string) => string): [string, string] {
  const [, canonical = '', column = ''] = /^([^=]*)=(.+)$/.exec(pair) ?? [];
  const names: readonly string[] = CANONICAL_COLUMNS[rows];
  if (!names.includes(canonical) || column === '')
    throw usage(
      `--columns takes COLUMN-OF-OPALINE=COLUMN-OF-THE-SOURCE; with --rows ${rows} those of Opaline are ${names.join(', ')}.`,
    );
  return [canonical, check(column)];
}

/** The public list of each mode; one that is named without a mode is that of all others. */
async function askLists(
  modes: readonly string[],
  options: InitOptions,
  ask: Ask | null,
): Promise<ProjectAnswers['lists']> {
  const choice = { by: among(options.stopsBy, STOP_FIELDS), parentStations: options.parentStations === true };
  const read = (line: string): Promise<LocationList> => readLocationList(line, choice);
  const files = new Map<string, string>();
  const ofMode = new Map<string, string>();
  const keep = (name: string, list: LocationList): string => {
    const file = `locations/${name}.csv`;
    files.set(file, list.text);
    return file;
  };
  let forAll: string | null = null;
  for (const text of options.locations ?? []) {
    const [, mode, path] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? [];
    if (mode === undefined || path === undefined) forAll = keep('all', await read(text));
    else if (modes.includes(mode)) ofMode.set(mode, keep(mode, await read(path)));
    else throw usage(`--locations names the mode ${mode}, which is none of ${modes.join(', ')}.`);
  }
  if (forAll === null && modes.some((mode) => !ofMode.has(mode))) {
    const words = 'The public list of locations: a CSV of source,location, or a GTFS feed (ZIP or folder)';
    forAll = keep('all', await answer({ option: '--locations', words, usual: null, read }, undefined, ask));
  }
  for (const mode of modes) if (!ofMode.has(mode)) ofMode.set(mode, forAll!);
  return { files, ofMode };
}

async function askPeople(
  options: InitOptions,
  ask: Ask | null,
): Promise<Pick<ProjectAnswers, 'custodians' | 'approvers'>> {
  const list = (line: string): string[] => line.split(',').map((name) => name.trim());
  const custodians =
    options.custodian ??
    (await answer(
      { option: '--custodian', words: 'Who may see raw data? Names, with commas between', usual: null, read: list },
      undefined,
      ask,
    ));
  const words = 'Who decides at the gate? NAME, or NAME=FILE of a public key that they brought; with commas between';
  const approvers =
    options.approver ?? (await answer({ option: '--approver', words, usual: null, read: list }, undefined, ask));
  const named = await Promise.all(approvers.map(readApproverAnswer));
  const twice = named.find(({ subject }, index) => named.findIndex((one) => one.subject === subject) < index);
  if (twice) throw usage(`${twice.subject} is named twice as an approver; one person signs once.`);
  return { custodians, approvers: named };
}

async function readApproverAnswer(text: string): Promise<NamedApprover> {
  const at = text.lastIndexOf('=');
  if (at < 1) return { subject: text, publicKey: null };
  return { subject: text.slice(0, at), publicKey: await readFile(text.slice(at + 1), 'utf8').catch(noKey(text)) };
}

const noKey = (text: string) => (): never => {
  throw usage(`${text.slice(text.lastIndexOf('=') + 1)} cannot be read; it is to hold a public key.`);
};
