import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { z } from 'zod';
import {
  FOR_ALL,
  foreignColumns,
  type LocationList,
  readLocationLists,
  type STOP_FIELDS,
  type StopChoice,
} from '../client/project/location-list.ts';
import type { NamedApprover, ProjectAnswers } from '../client/project/project-answers.ts';
import { projectDesigns, proposeCardUnit } from '../client/project/project-design.ts';
import { formatByName, sampleColumns, usualDelimiter } from '../client/project/sample-columns.ts';
import { usualPattern } from '../client/project/sample-pattern.ts';
import { readVerifiedPublication } from '../client/verify/verify-publication.ts';
import { type PublishedTaps, UNIT_NAMES } from '../contracts/certificate.ts';
import { wrongUse } from '../contracts/errors.ts';
import { amount, ENCODINGS, seriesName, sourceFields, WEEKDAYS } from '../contracts/series.ts';
import { storeAt } from '../contracts/source-address.ts';
import type { StoreConfiguration } from '../contracts/store-configuration.ts';
import { isCardUnit, UNITS } from '../counts/certificate/units.ts';
import { deltaOfPeople, PEOPLE } from '../counts/readers/people-designs.ts';
import { earlierRelease, type ModeVolume } from '../kinds/taps/client/designs.ts';
import { CANONICAL_COLUMNS, CARD_FORMS, CLOCKS } from '../kinds/taps/series.ts';
import { openStore } from '../services/stores/open-store.ts';
import { readKey } from './key-options.ts';
import { type Ask, answer, type Choice } from './questions.ts';

/** The questions of `opaline init`, each with the option that answers it in a script. */
export const QUESTIONS = {
  source: [
    '--source <place>',
    'where the data is: a folder, or s3://BUCKET/PREFIX of the server that AWS_ENDPOINT_URL names',
  ],
  sample: ['--sample <file>', 'one file of it: the names of its columns are read, and none of its rows'],
  header: ['--header <names>', 'names of the columns of a CSV without a header row, with commas between'],
  list: ['--list <path>', 'names that lead to the rows of a JSON document, with dots between; - for none'],
  first: ['--first <field>', 'the field that each row of a JSON document begins with'],
  delimiter: ['--delimiter <character>', 'what is between the fields of a CSV, or tab; by its header row unless named'],
  encoding: ['--encoding <name>', 'how its text is written: utf-8, or latin-1'],
  pattern: ['--pattern <pattern>', 'names of all files, with {date}, {mode} and *; made of the sample unless named'],
  rows: ['--rows <what>', 'what a row is: trips (a tap on and a tap off), or taps'],
  clock: ['--clock <clock>', `how times are written: ${CLOCKS.join(', ')}, or a format as %d.%m.%Y %H:%M:%S`],
  modes: ['--modes <names>', 'modes, with commas between'],
  timeZone: ['--time-zone <zone>', 'time zone, such as Europe/Zurich'],
  dayStarts: ['--day-starts <time>', 'when a day begins: 00:00, or that of a traffic day, such as 04:00'],
  windowDays: ['--window-days <n>', 'days of one release, or month'],
  firstWeekday: ['--first-weekday <day>', `weekday on which a release begins: ${WEEKDAYS.join(', ')}`],
  unit: ['--unit <unit>', `what is protected: ${UNIT_NAMES.join(', ')}; with a column card a card unless named`],
  maxTaps: ['--max-taps <n>', 'card units: how many taps of a card are counted'],
  card: ['--card <form>', 'card units: what a card id is, text or number'],
  epsilon: [
    '--epsilon <e>',
    'ε of one release, the same whatever the data is; 8 unless named, and 1 for the week of a card',
  ],
  delta: ['--delta <d>', 'δ of designs that need one; of the week of a card at most 1 to the taps of a week'],
  tapsPerWeek: [
    '--taps-per-week <n>',
    'about how many taps a week there are by a public figure, as one digit and zeros (300000), or of each mode ("bus=300000 ferry=2000"), or unknown; not from the data',
  ],
  design: ['--design <name>', 'bins, and what ε is for, such as 30-both; proposed by the public figures unless named'],
  required: ['--required <n>', 'approvals that a release needs'],
  name: ['--name <name>', 'name of the series'],
  population: ['--population <name>', 'name of the people that the source may hold'],
  organisation: ['--organisation <name>', 'who publishes'],
  title: ['--title <title>', 'title of the publication'],
  licence: ['--licence <licence>', 'licence of the publication'],
} as const;

/** Questions that take several answers: a script repeats them, a person puts commas between. */
export const LISTS = {
  columns: ['--columns <ours=theirs...>', 'which column is what: card=CARD on_time=START'],
  locations: ['--locations <[mode=]path...>', 'public list: CSV of source,location, JSON, or GTFS (ZIP or folder)'],
  placeColumns: ['--place-columns <ours=theirs...>', 'location, source, name, latitude, longitude, parent of a list'],
  custodian: ['--custodian <name...>', 'who may see raw data'],
  note: ['--note <text...>', 'notes for readers: what is special about the source'],
  approver: ['--approver <name...>', 'who decides at the gate; NAME=FILE for a public key that they have brought'],
} as const;

/** The options of `opaline init`, as they are written. */
export type InitOptions = Partial<Record<keyof typeof QUESTIONS, string>> &
  Partial<Record<keyof typeof LISTS, string[]>> & {
    format?: string;
    ragged?: true;
    stopsBy: (typeof STOP_FIELDS)[number];
    parentStations?: true;
    rootKey?: string;
    like?: string;
  };

/** Name of the source store of a project. */
const STORE = 'trips';

/** Asks for everything that a project needs; what an option says is not asked. Throws USAGE. */
export async function askProject(folder: string, options: InitOptions, ask: Ask | null): Promise<ProjectAnswers> {
  if (ask === null) requireOptions(options);
  const one = <T>(
    name: keyof typeof QUESTIONS,
    usual: string | null,
    read: (line: string) => T | Promise<T>,
    choices: readonly Choice[] | null = null,
  ) => answer({ asked: QUESTIONS[name], usual, read, choices }, options[name], ask);
  const oneOf = <Word extends string>(name: keyof typeof QUESTIONS, usual: Word, words: readonly Word[]) =>
    one(name, usual, among(words), choicesOf(words));
  const many = async (name: 'custodian' | 'approver') =>
    options[name] ?? (await answer({ asked: LISTS[name], usual: null, read: splitNames }, undefined, ask));

  const placeColumns = options.placeColumns ? readPlaceColumns(options.placeColumns) : null;
  const series = await one('name', slug(basename(resolve(folder))), readName);
  const place = await one('source', null, readPlace);
  const modes = await one('modes', null, (line) => splitNames(line).map(readName));
  const { key, format } = await one('sample', null, (line) => readSample(place, line, options.format));
  const json =
    format.format === 'json'
      ? { list: await one('list', NONE, readList), first: await one('first', null, String) }
      : null;
  const pattern = await one('pattern', await usualPattern(openStore(place), key, modes), String);
  const encoding = format.format === 'parquet' ? 'utf-8' : await oneOf('encoding', 'utf-8', ENCODINGS);
  const inFirstRow = (line: string) => (line === FIRST_ROW ? null : splitNames(line));
  const isCsv = format.format === 'csv';
  const header = isCsv ? await one('header', FIRST_ROW, inFirstRow) : null;
  const rows = await oneOf('rows', 'trips', ['trips', 'taps'] as const);
  const hasHeader = isCsv && header === null;
  const usual = await usualDelimiter(openStore(place), key, { ...format, encoding, hasHeader });
  const delimiter = isCsv ? await one('delimiter', usual, (line) => (line === 'tab' ? '\t' : line)) : ',';
  const names = header ?? (await sampleColumns(openStore(place), key, { ...format, delimiter, encoding }));
  const columns = await askColumns(rows, names, options, ask);
  const timeZone = await one('timeZone', ask ? Intl.DateTimeFormat().resolvedOptions().timeZone : null, String);
  const clock = await one('clock', 'local', String);
  const starts = await one('dayStarts', '00:00', readTime);
  const days = await one('windowDays', '7', (line) => (line === 'month' ? null : readCount(line)));
  const window =
    days === null ? ({ months: 1 } as const) : { days, firstWeekday: await oneOf('firstWeekday', 'monday', WEEKDAYS) };
  const lists = await askLists(modes, { ...options, columns: placeColumns }, ask);
  const like = options.like === undefined ? null : earlierRelease(await readVerifiedPublication(options.like));
  const volume = like ?? (await one('tapsPerWeek', UNKNOWN, (line) => readVolume(line, modes)));
  const publish: PublishedTaps =
    rows === 'taps' || !hasNoEnd(columns, 'off') ? (hasNoEnd(columns, 'on') ? 'off' : 'on+off') : 'on';
  const domain = { modes, lists, window, starts, publish, volume };
  const isOfCards = 'card' in columns && options.unit === undefined;
  const usualUnit = isOfCards ? proposeCardUnit(domain) : rows === 'trips' ? 'trip' : 'tap';
  const unit = await oneOf('unit', usualUnit, UNIT_NAMES);
  const isCard = isCardUnit(unit);
  if (isCard && !('card' in columns))
    throw wrongUse(`The unit ${unit} needs the column of the card: --columns card=COLUMN.`);
  const maxTaps = isCard ? await one('maxTaps', String(PEOPLE[unit].maxTaps), readCount) : null;
  const card = isCard ? await oneOf('card', 'text', CARD_FORMS) : null;
  const isWindow = UNITS[unit].cardScope === 'window';
  const epsilon = await one('epsilon', isWindow ? '1' : '8', readAmount);
  const delta = await one('delta', isWindow ? deltaOfPeople(volume) : '1e-6', readAmount);
  const designs = projectDesigns({ ...domain, rows, unit, maxTaps, epsilon, delta, pattern });
  const [proposal] = designs;
  if (!proposal) throw wrongUse('No design has a certificate with this ε and δ; take larger ones.');
  const choices = designs.map(({ name, shows }) => ({ value: name, hint: shows ?? undefined }));
  const choose = among(designs.map(({ name }) => name));
  const name = await one('design', proposal.name, choose, choices);
  return {
    series,
    modes,
    lists,
    window,
    starts,
    timeZone,
    design: designs.find((design) => design.name === name)!,
    expected: volume && oneDigit(volume.tapsPerWeek),
    notes: options.note ?? [],
    source: {
      ...format,
      store: STORE,
      place,
      pattern,
      encoding,
      delimiter,
      header,
      rows,
      clock,
      columns,
      card,
      ragged: options.ragged === true,
      json,
    },
    custodians: await many('custodian'),
    approvers: await readApprovers(await many('approver')),
    population: await one('population', `${series}-riders`, readName),
    organisation: await one('organisation', series, String),
    title: await one('title', series, String),
    licence: await one('licence', 'CC-BY-4.0', String),
    required: await one('required', '1', readCount),
    rootKey: options.rootKey === undefined ? null : await readKey(options.rootKey),
  };
}

/** The answer of somebody who does not know how much there is. */
const UNKNOWN = 'unknown';

const oneDigit = (figure: number): number => Number(figure.toPrecision(1));

/** A figure of all taps, or one of each mode. */
function readVolume(line: string, modes: readonly string[]): ModeVolume | null {
  if (line === UNKNOWN) return null;
  if (!line.includes('=')) return { tapsPerWeek: readFigure(line) };
  const pairs = line.split(/[\s,;]+/).map((part) => part.split('=', 2) as [string, string]);
  const ofModes = new Map(pairs.map(([mode, figure = '']) => [mode, readFigure(figure)]));
  if (ofModes.size !== modes.length || !modes.every((mode) => ofModes.has(mode)))
    throw wrongUse(`${line} does not name each of ${modes.join(', ')} once, as ${modes[0]}=300000.`);
  return { tapsPerWeek: [...ofModes.values()].reduce((sum, taps) => sum + taps, 0), ofModes };
}

function readFigure(line: string): number {
  const figure = Number(line.replaceAll(/[ ,_’']/g, ''));
  if (Number.isSafeInteger(figure) && figure > 0 && oneDigit(figure) === figure) return figure;
  throw wrongUse(`${line} is no figure of one digit and zeros, such as 5000 or 300000; more digits would be a count.`);
}

/** A table of trips without the time and the place of one end has none of its taps. */
const hasNoEnd = (columns: Readonly<Record<string, string>>, end: 'on' | 'off'): boolean =>
  !Object.keys(columns).some((name) => name.startsWith(`${end}_`)) &&
  Object.keys(columns).some((name) => /^(on|off)_/.test(name));

/** What a script has to say: nothing is usual there. */
const NEEDED = ['source', 'sample', 'modes', 'columns', 'timeZone', 'locations', 'custodian', 'approver'] as const;

/** Names every option that is missing where nobody can be asked. Throws USAGE. */
function requireOptions(options: InitOptions): void {
  const format = options.format ?? formatByName(options.sample ?? '')?.format;
  const names = format === 'json' ? ([...NEEDED, 'first'] as const) : NEEDED;
  const gaps = names.filter((name) => options[name] === undefined);
  if (gaps.length === 0) return;
  const flags = gaps.map((name) => ({ ...QUESTIONS, ...LISTS })[name][0].replace(/ .*/, ''));
  throw wrongUse(
    `Nobody can be asked, so these are needed too: ${flags.join(', ')}; \`opaline init --help\` says what they take.`,
  );
}

/** The answer of a CSV whose first row names its columns. */
const FIRST_ROW = 'first row';

const splitNames = (line: string): string[] => line.split(',').map((name) => name.trim());

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50) || 'series';

const reading =
  <T>(schema: z.ZodType<T>, refusal: string) =>
  (line: string): T => {
    const outcome = schema.safeParse(line);
    if (outcome.success) return outcome.data;
    throw wrongUse(`${line} is ${refusal}.`);
  };

const readName = reading(seriesName, 'no name; use lower-case letters, digits and hyphens');
const readAmount = reading(amount, 'no positive number, such as 8, 1/2 or 1e-6');
const readCount = reading(z.stringFormat('count', /^[1-9]\d{0,3}$/).transform(Number), 'no whole number from 1 on');
const readTime = reading(z.stringFormat('time', /^(0\d|1[01]):00$/), 'no full hour before noon, such as 04:00');
const among = <Word extends string>(words: readonly Word[]) => reading(z.enum(words), `not one of ${words.join(', ')}`);

const readList = (line: string) => (line === NONE ? undefined : line);

const readPlace = (line: string): StoreConfiguration => storeAt(line.startsWith('s3://') ? line : resolve(line));

/** The key of a file in the source: as it is, or as a path into the folder of the source. */
async function readSample(place: StoreConfiguration, line: string, choice: string | undefined) {
  const inside = place.kind === 'folder' ? relative(place.path, resolve(line)) : line;
  const key = inside.startsWith('..') ? line : inside.replaceAll('\\', '/');
  const format = formatByName(key, choice === undefined ? undefined : among(sourceFields.format.options)(choice));
  if (format === null)
    throw wrongUse(`${key} does not say how it is written; name --format, or a .csv, .tsv, .parquet, .json or .jsonl.`);
  const store = openStore(place);
  for (const each of [key, line]) if ((await store.head(each)) !== null) return { key: each, format };
  throw wrongUse(`There is no ${key} in ${store.location}.`);
}

/**
 * Which column is what. In a script a column that is not there is named, and not those that are: without a header row
 * they would be values.
 */
async function askColumns(
  rows: 'trips' | 'taps',
  names: readonly string[] | null,
  { columns: given }: InitOptions,
  ask: Ask | null,
): Promise<Record<string, string>> {
  const check = (column: string): string => {
    if (names === null || names.includes(column)) return column;
    throw wrongUse(`The file has no column ${column}.`);
  };
  if (given !== undefined) return Object.fromEntries(given.map((pair) => readColumn(pair, rows, check)));
  const columns: Record<string, string> = {};
  const choices = names && choicesOf([NONE, ...names]);
  for (const canonical of CANONICAL_COLUMNS[rows]) {
    const words = `Which column is ${canonical}${MEANT[canonical] ?? ''}? ${NONE}: none.`;
    const read = (line: string) => (line === NONE ? null : check(line));
    const question = { asked: [LISTS.columns[0], words], usual: NONE, read, choices } as const;
    const column = await answer(question, undefined, ask);
    if (column !== null) columns[canonical] = column;
  }
  return columns;
}

const choicesOf = (words: readonly string[]): Choice[] => words.map((value) => ({ value }));

/** The answer for a column that the source has not. */
const NONE = '-';

/** What a column has to say, where its name does not make that clear. */
const MEANT: Readonly<Record<string, string>> = { tap: ', which says on or off (a select makes it of other words)' };

function readColumn(pair: string, rows: 'trips' | 'taps', check: (column: string) => string): [string, string] {
  const [, canonical = '', column = ''] = /^([^=]*)=(.+)$/.exec(pair) ?? [];
  const names: readonly string[] = CANONICAL_COLUMNS[rows];
  if (!names.includes(canonical) || column === '')
    throw wrongUse(
      `--columns takes COLUMN-OF-OPALINE=COLUMN-OF-THE-SOURCE; with --rows ${rows} those of Opaline are ${names.join(', ')}.`,
    );
  return [canonical, check(column)];
}

/** Columns of a list by our names. Throws USAGE without that of the location. */
function readPlaceColumns(pairs: readonly string[]): NonNullable<StopChoice['columns']> {
  const columns = Object.fromEntries(pairs.map((pair) => [pair.split('=', 1)[0]!, pair.slice(pair.indexOf('=') + 1)]));
  if ('location' in columns) return columns;
  throw wrongUse('--place-columns lacks location; add location=COLUMN, the column of the published names.');
}

/** The public list of each mode; one that is named without a mode is that of all others. */
async function askLists(
  modes: readonly string[],
  { stopsBy: by, ...options }: Omit<InitOptions, 'columns'> & Pick<StopChoice, 'columns'>,
  ask: Ask | null,
): Promise<ProjectAnswers['lists']> {
  const lists = new Map<string, LocationList>();
  const read = async (line: string): Promise<void> => {
    const [, prefix, path = line] = /^([a-z0-9-]+)=(.+)$/.exec(line) ?? [];
    if (prefix !== undefined && !modes.includes(prefix))
      throw wrongUse(`--locations names the mode ${prefix}, which is not one of ${modes.join(', ')}.`);
    const foreign = options.columns === null ? await foreignColumns(path) : null;
    const columns = foreign ? await askPlaceColumns(path, foreign, ask) : options.columns;
    const choice = { by, parentStations: options.parentStations === true, columns };
    const own = new Map(await readLocationLists(path, choice, prefix === undefined ? modes : [prefix]));
    if (prefix !== undefined) lists.set(prefix, own.get(prefix) ?? own.get(FOR_ALL)!);
    else for (const [mode, list] of own) if (!lists.has(mode)) lists.set(mode, list);
  };
  const isOfMode = (text: string) => /^[a-z0-9-]+=/.test(text);
  const texts = (options.locations ?? []).toSorted((a, b) => Number(isOfMode(b)) - Number(isOfMode(a)));
  for (const text of texts) await read(text);
  if (!lists.has(FOR_ALL) && modes.some((mode) => !lists.has(mode)))
    await answer({ asked: LISTS.locations, usual: null, read }, undefined, ask);
  const fileOf = (name: string): string => `locations/${name}.csv`;
  const ofMode = new Map(modes.map((mode) => [mode, fileOf(lists.has(mode) ? mode : FOR_ALL)]));
  const files = [...lists].map(([name, { text }]) => [fileOf(name), text] as const);
  return { files: new Map(files.filter(([file]) => [...ofMode.values()].includes(file))), ofMode };
}

/** Which column of a public list is what: its names are no secret. */
const askPlaceColumns = (path: string, names: readonly string[], ask: Ask | null) => {
  const words = `which columns of ${path} are ours (location=COLUMN, and source, name, latitude, longitude, parent where it has them, with commas between)? It has ${names.join(', ')}`;
  const read = (line: string) => readPlaceColumns(splitNames(line));
  return answer({ asked: [LISTS.placeColumns[0], words], usual: null, read }, undefined, ask);
};

/** Each name once, with the public key that goes with it. Throws USAGE. */
async function readApprovers(texts: readonly string[]): Promise<NamedApprover[]> {
  const approvers = await Promise.all(
    texts.map(async (text): Promise<NamedApprover> => {
      const at = text.lastIndexOf('=');
      if (at < 1) return { subject: text, publicKey: null };
      const file = text.slice(at + 1);
      const publicKey = await readFile(file, 'utf8').catch((): never => {
        throw wrongUse(`${file} cannot be read; it is to hold a public key.`);
      });
      return { subject: text.slice(0, at), publicKey };
    }),
  );
  const twice = approvers.find(({ subject }, index) => approvers.findIndex((one) => one.subject === subject) < index);
  if (twice) throw wrongUse(`${twice.subject} is named twice as an approver; one person signs once.`);
  return approvers;
}
