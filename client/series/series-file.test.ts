import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seriesSchema } from '../../contracts/series.ts';
import { formatIssue, SeriesFileError, type SeriesIssue } from '../../contracts/series-issue.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { loadSeriesFile } from './series-file.ts';

const folder = newFolder();

/** Every mistake of a series file, in the order of the file; empty when it can be used. */
async function issuesOf(path: string): Promise<readonly SeriesIssue[]> {
  try {
    await loadSeriesFile(path);
    return [];
  } catch (error) {
    if (error instanceof SeriesFileError) return error.issues;
    throw error;
  }
}

const GOOD = `series: city-taps
population: city-riders
timeZone: Australia/Sydney
custodians: [vera]
source:
  store: trips
  pattern: trips/{date}/{mode}.csv
  format: csv
  rows: trips
  columns:
    on_time: start
    on_location: from
    off_time: end
    off_location: to
window:
  days: 7
  firstWeekday: monday
bins:
  locations:
    bus: {dictionary: bus.csv}
    train: {dictionary: train.csv, unknown: UNKNOWN}
modes: [bus, train]
privacy:
  unit: trip
  epsilon: 8
  delta: 1e-6
  caps:
    block: {epsilon: 16, delta: 2e-6}
    year: {epsilon: 800, delta: 1e-3}
gate:
  approvers:
    - subject: ada
      # a person
      # of the
      # trust
      # file
    - subject: ben
      # another
      # person
      # of the
      # trust file
  required: 2
publication:
  title: Taps of the city
  licence: CC-BY-4.0
`;

let count = 0;
/** A folder of its own with the file and its dictionaries. */
function write(text: string, dictionaries: Record<string, string | Buffer> = {}): string {
  count += 1;
  const own = mkdtempSync(join(folder, `${count}-`));
  const all = { 'bus.csv': 'source,location\n"2000, west",2000\n-1,UNKNOWN\n', 'train.csv': 'location\nCentral\n' };
  for (const [name, content] of Object.entries({ ...all, ...dictionaries })) writeFileSync(join(own, name), content);
  writeFileSync(join(own, 'series.yaml'), text);
  return join(own, 'series.yaml');
}

/** The mistakes of the good file after a change, as `line:column field`. */
async function mistakes(from: string | RegExp, to: string, dictionaries: Record<string, string | Buffer> = {}) {
  const text = GOOD.replace(from, to);
  if (from !== '') expect(text).not.toBe(GOOD);
  return (await issuesOf(write(text, dictionaries))).map((issue) => `${issue.line}:${issue.column} ${issue.field}`);
}

describe('a series file', () => {
  it('becomes a stored series: amounts exact, split complete, dictionaries by digest', async () => {
    const { series, seriesBytes, digest, dictionaries } = await loadSeriesFile(write(GOOD));
    expect(series).toMatchObject({
      format: 'opaline-series/3',
      day: { starts: '00:00', ends: '24:00' },
      privacy: { epsilon: '8', delta: '1/1000000', split: { cells: '8' }, caps: { year: { delta: '1/1000' } } },
      bins: { minutes: 15, locations: { train: { unknown: 'UNKNOWN' } } },
    });
    expect(digest).toBe(sha256(seriesBytes));
    expect(seriesSchema.parse(JSON.parse(seriesBytes.toString()))).toEqual(series);
    expect(dictionaries.map(({ bytes }) => sha256(bytes))).toEqual(dictionaries.map((dictionary) => dictionary.digest));
    expect(tapsSeries(series).bins.locations.bus?.dictionary).toBe(dictionaries[0]?.digest);
  });

  it('has the same digest when it says the same in another way, and another one when it does not', async () => {
    const digest = async (from: string, to: string) => {
      expect(GOOD).toContain(from);
      return (await loadSeriesFile(write(GOOD.replace(from, to)))).digest;
    };
    const same = await digest('epsilon: 8\n', 'epsilon: "16/2" # with a comment\n');
    expect(await digest('delta: 1e-6', 'delta: 0.000001\n  split: {cells: 8.0}')).toBe(same);
    expect(await digest('window:\n', 'day: {starts: "00:00", ends: "24:00"}\nwindow:\n')).toBe(same);
    expect(
      await digest('series: city-taps\npopulation: city-riders', 'population: city-riders\nseries: city-taps'),
    ).toBe(same);
    expect(await digest('epsilon: 8\n', 'epsilon: 7\n')).not.toBe(same);
  });

  it('completes the split and the traffic day', async () => {
    const text = GOOD.replace('epsilon: 8\n', 'epsilon: 8\n  split: {time: 1/2, location: 0.5}\n');
    const { series } = await loadSeriesFile(write(text.replace('window:\n', 'day: {starts: 04:00}\nwindow:\n')));
    expect(series.privacy.split).toEqual({ cells: '7', time: '1/2', location: '1/2' });
    expect(series.day).toEqual({ starts: '04:00', ends: '28:00' });
  });

  it('may have a select in place of columns', async () => {
    const select =
      "SELECT a AS on_time, b AS on_location, c AS off_time, trim(d) AS off_location FROM source WHERE e <> ''";
    const text = GOOD.replace(/ {2}columns:[\s\S]*?window:/, `  select: ${select}\nwindow:`);
    expect((await loadSeriesFile(write(text))).series.source.select).toBe(select);
  });

  it('names every mistake at once, each with file, line, column and field', async () => {
    const path = write(
      GOOD.replace('timeZone: Australia/Sydney', 'timeZone: Sydney')
        .replace('epsilon: 8\n', 'epsilon: lots\n')
        .replace('days: 7', 'days: 0\n  dayz: 7')
        .replace('required: 2', 'required: 3')
        .replace('  title: Taps of the city\n', ''),
      { 'train.csv': 'location\nCentral\nCentral\n' },
    );
    const issues = await issuesOf(path);
    expect(issues.map(formatIssue).map((line) => line.replace(path, 'series.yaml'))).toEqual([
      'series.yaml:3:1 timeZone — No such time zone is known; name a region, such as Australia/Sydney.',
      'series.yaml:16:3 window.days — The number must be at least 1.',
      'series.yaml:17:3 window.dayz — There is no such field here; check its spelling and its indentation, or take it out.',
      'series.yaml:26:3 privacy.epsilon — The value does not fit: write a positive number, such as 8, 1/2 or 1e-6.',
      expect.stringMatching(
        /^series\.yaml:\d+:3 gate\.required — More approvals are required than there are approvers/,
      ),
      expect.stringMatching(/^series\.yaml:\d+:1 publication\.title — The field is missing; add it\.$/),
      'train.csv:3:1 The name in the source is there twice; take one line out.',
    ]);
    const thrown = await loadSeriesFile(path).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(SeriesFileError);
    expect(thrown).toMatchObject({ code: 'SERIES_INVALID', issues, message: issues.map(formatIssue).join('\n') });
  });
});

describe('mistakes of a series file', () => {
  it.each<[string, string | RegExp, string, string]>([
    ['no YAML', 'modes: [bus, train]', 'modes: [bus', '23:1 '],
    ['a field twice', 'modes:', 'series: x\nmodes:', '22:1 '],
    ['a wrong kind', 'modes: [bus, train]', 'modes: bus', '22:1 modes'],
    ['an unknown choice', 'format: csv', 'format: xml', '8:3 source.format'],
    ['a series name with blanks', 'series: city-taps', 'series: City Taps', '1:1 series'],
    ['a half weekday', 'firstWeekday: monday', 'firstWeekday: mon', '17:3 window.firstWeekday'],
    ['odd bins', 'bins:\n', 'bins:\n  minutes: 7\n', '19:3 bins.minutes'],
    ['columns and select', 'rows: trips', 'rows: trips\n  select: SELECT a AS card FROM source', '10:3 source.select'],
    ['neither columns nor select', / {2}columns:[\s\S]*?window:/, 'window:', '5:1 source.columns'],
    [
      'a select that is not row-wise',
      / {2}columns:[\s\S]*?window:/,
      '  select: SELECT max(a) AS card FROM source\nwindow:',
      '10:3 source.select',
    ],
    ['a column that is none', 'on_time: start', 'on_time: start\n    when: x', '12:5 source.columns.when'],
    ['no location', '    on_location: from\n', '', '10:3 source.columns'],
    ['no time', '    on_time: start\n', '', '10:3 source.columns'],
    ['two kinds of time', 'on_time: start', 'on_time: start\n    on_minute: m', '10:3 source.columns'],
    ['minutes without a day', 'on_time: start', 'on_minute: m', '10:3 source.columns'],
    ['several modes and no way to tell', '{date}/{mode}.csv', '{date}.csv', '10:3 source.columns'],
    ['a pattern with another placeholder', '{date}/{mode}.csv', '{day}/{mode}.csv', '7:3 source.pattern'],
    ['Parquet with gzip', 'format: csv', 'format: parquet\n  compression: gzip', '9:3 source.compression'],
    [
      'a header for Parquet',
      'format: csv',
      'format: parquet\n  csv: {header: [start, from, end, to]}',
      '9:3 source.csv',
    ],
    [
      'a header without the column',
      'rows: trips',
      'csv: {header: [start, from, end]}\n  rows: trips',
      '15:5 source.columns.off_location',
    ],
    [
      'minutes that are not local',
      /rows: trips\n {2}columns:\n {4}on_time: start/,
      'rows: trips\n  clock: utc\n  columns:\n    on_day: d\n    on_minute: m',
      '10:3 source.clock',
    ],
    [
      'a window of nothing',
      '  days: 7\n  firstWeekday: monday',
      '  lagDays: 1',
      '15:1 window.days|15:1 window.firstWeekday',
    ],
    ['a window of days and months', 'days: 7', 'days: 7\n  months: 1', '16:3 window.days|18:3 window.firstWeekday'],
    ['a window of five months', '  days: 7\n  firstWeekday: monday', '  months: 5', '16:3 window.months'],
    ['a clock that is a zone', 'rows: trips', 'rows: trips\n  clock: Europe/Zurich', '10:3 source.clock'],
    ['a clock without a format', 'rows: trips', 'rows: trips\n  clock: {zone: utc}', '10:3 source.clock.format'],
    [
      'a clock that tells no time',
      'rows: trips',
      "rows: trips\n  clock: {format: '%Y-%m-%d'}",
      '10:11 source.clock.format',
    ],
    ['an encoding of Parquet', 'format: csv', 'format: parquet\n  encoding: latin-1', '9:3 source.encoding'],
    ['ragged lines without names', 'rows: trips', 'rows: trips\n  csv: {ragged: true}', '10:9 source.csv.ragged'],
    [
      'late deliveries that nobody waits for',
      'rows: trips',
      'rows: trips\n  deliveryDays: 2',
      '10:3 source.deliveryDays',
    ],
    ['a month without a year', '{date}/{mode}.csv', '{mm}/{mode}.csv', '7:3 source.pattern'],
    [
      'a set of columns without a time',
      / {2}columns:[\s\S]*?window:/,
      '  columns:\n    - {on_location: a, off_location: b, on_time: c, off_time: d}\n    - {on_location: a, off_location: b, on_time: c}\nwindow:',
      '12:7 source.columns[1]',
    ],
    [
      'taps of which nobody says how they make trips',
      / {2}rows: trips\n {2}columns:[\s\S]*?window:/,
      '  rows: taps\n  columns: {tap: a, time: b, location: c}\nwindow:',
      '20:3 privacy.unit',
    ],
    ['an unknown time zone', 'Australia/Sydney', 'Australia/Springfield', '3:1 timeZone'],
    ['a day that ends before it starts', 'window:', 'day: {starts: 04:00, ends: 03:00}\nwindow:', '15:22 day.ends'],
    ['a day that starts within a bin', 'window:', 'day: {starts: 04:10, ends: 28:00}\nwindow:', '15:7 day.starts'],
    ['a late day without an end', 'window:', 'day: {starts: 13:00}\nwindow:', '15:7 day.starts'],
    [
      'a schedule of overlapping windows',
      'days: 7\n  firstWeekday: monday',
      'days: 14\n  firstWeekday: monday\nschedule: {weekday: monday, time: 09:00}',
      '16:3 window.days',
    ],
    ['a schedule past midnight', 'modes:', 'schedule: {weekday: monday, time: 25:00}\nmodes:', '22:29 schedule.time'],
    ['a mode without dictionary', 'modes: [bus, train]', 'modes: [bus, train, ferry]', '22:21 modes[2]'],
    ['a dictionary without mode', 'modes: [bus, train]', 'modes: [bus]', '21:5 bins.locations.train'],
    ['a dictionary that is not there', 'bus.csv', 'buses.csv', '20:11 bins.locations.bus.dictionary'],
    [
      'card units without maxTaps',
      /unit: trip/,
      'unit: card-day',
      '5:1 source.card|10:3 source.columns|24:3 privacy.unit',
    ],
    ['maxTaps without card units', 'unit: trip', 'unit: trip\n  maxTaps: 4', '25:3 privacy.maxTaps'],
    ['left-out taps without card units', 'epsilon: 8\n', 'epsilon: 8\n  split: {bounded: 1}\n', '23:1 privacy'],
    ['unit tap for trips, unexplained', 'unit: trip', 'unit: tap', '24:3 privacy.unit'],
    [
      'a split that does not add up',
      'epsilon: 8\n',
      'epsilon: 8\n  split: {cells: 7, time: 1/2}\n',
      '26:3 privacy.split',
    ],
    ['δ = 0 with a threshold', 'delta: 1e-6', 'delta: 0', '26:3 privacy.delta'],
    ['δ > 0 without a threshold', 'unit: trip', 'unit: trip\n  mechanism: complete-domain', '27:3 privacy.delta'],
    ['a floor on a stability histogram', 'unit: trip', 'unit: trip\n  floor: 7', '25:3 privacy.floor'],
    ['hours on a stability histogram', 'unit: trip', 'unit: trip\n  hours: {}', '25:3 privacy.hours'],
    [
      'a floor of 1',
      /unit: trip([\s\S]*)delta: 1e-6/,
      'mechanism: complete-domain\n  floor: 1\n  unit: trip$1delta: 0',
      '25:3 privacy.floor',
    ],
    [
      'hour rows under a lower floor',
      /unit: trip([\s\S]*?)delta: 1e-6/,
      'mechanism: complete-domain\n  floor: 9\n  hours: {floor: 8}\n  unit: trip$1delta: 0',
      '26:3 privacy.hours',
    ],
    [
      'hour rows without a floor',
      /unit: trip([\s\S]*?)delta: 1e-6/,
      'mechanism: complete-domain\n  floor: none\n  hours: {}\n  unit: trip$1delta: 0',
      '26:3 privacy.hours',
    ],
    [
      'the algorithm of 2017, by which nothing is drawn',
      'unit: trip',
      'unit: trip\n  mechanism: sbh-2017',
      '25:3 privacy.mechanism',
    ],
    ['no ε', 'epsilon: 8\n', 'epsilon: 0\n', '25:3 privacy.epsilon'],
    ['a cap below one release', 'block: {epsilon: 16', 'block: {epsilon: 4', '28:13 privacy.caps.block.epsilon'],
    [
      '@contract C16: a custodian who approves',
      'custodians: [vera]',
      'custodians: [vera, ada]',
      '32:7 gate.approvers[0].subject',
    ],
    [
      'a series that is its own sibling',
      'publication:',
      'audit:\n  siblings: [town-taps, city-taps]\npublication:',
      '44:25 audit.siblings[1]',
    ],
    ['a name that begins with space', 'subject: ada', "subject: ' ada'", '32:7 gate.approvers[0].subject'],
    ['a name with a mark that is not shown', 'subject: ada', 'subject: "ada\\u202e"', '32:7 gate.approvers[0].subject'],
    ['one person in two spellings', 'subject: ben', 'subject: ADA', '42:3 gate.required'],
    ['a title of two lines', 'title: Taps of the city', 'title: "Taps\\n## Audit"', '44:3 publication.title'],
    [
      'a note that a terminal obeys',
      'licence: CC-BY-4.0',
      'licence: CC-BY-4.0\n  notes: ["\\e[2J", "\\u202eabc"]',
      '46:11 publication.notes[0]|46:20 publication.notes[1]',
    ],
    ['a share for checks alone', 'epsilon: 8\n', 'epsilon: 8\n  split: {checks: 1}\n', '26:11 privacy.split.checks'],
    [
      'an embargo past midnight',
      'licence:',
      'at: {daysAfterWindow: 3, time: 24:30}\n  licence:',
      '45:28 publication.at.time',
    ],
  ])('%s', async (_name, from, to, expected) => {
    expect((await mistakes(from, to)).join('|')).toBe(expected);
  });

  it('are none when the odd choice is explained to readers', async () => {
    const note = (text: string, from: string, to: string) =>
      mistakes(/unit: trip[\s\S]*/, GOOD.slice(GOOD.indexOf('unit: trip')).replace(from, to) + text);
    expect(
      await note('  notes: [The unit tap is chosen because ends are not linked.]\n', 'unit: trip', 'unit: tap'),
    ).toEqual([]);
  });

  it.each<[string, string | Buffer, string]>([
    ['another encoding', Buffer.from([0x6c, 0xe9, 0x0a]), '1:1 '],
    ['no location column', 'source,place\na,b\n', '1:1 '],
    ['a column too many', 'source,location,note\na,b,c\n', '1:1 '],
    ['no lines', 'source,location\n', '1:1 '],
    ['a line with too few fields', 'source,location\na\nb,B\n', '2:1 '],
    ['an open quote', 'source,location\n"a,A\nb,B\n', '2:1 '],
    ['an empty field', 'source,location\na,\nb,B\n', '2:1 '],
    ['a source name twice', 'source,location\na,A\nb,B\na,C\n', '4:1 '],
    ['a star', 'source,location\na,*\nb,B\n', '2:1 '],
  ])('in a dictionary: %s', async (_name, content, expected) => {
    expect(await mistakes('', '', { 'bus.csv': content })).toEqual([expected]);
  });

  it('are found in a file that is empty, a list, missing, or full of aliases', async () => {
    expect(await issuesOf(write(''))).toHaveLength(1);
    expect(await issuesOf(write('- a\n- b\n'))).toHaveLength(1);
    expect(await issuesOf(join(folder, 'none.yaml'))).toMatchObject([{ line: 1, field: '' }]);
    expect(await mistakes('modes: [bus, train]', 'modes: &m [bus, train]\nother: *m')).toEqual(['1:1 ']);
  });

  it.each([
    ['three thousand levels of brackets', `${'['.repeat(3000)}${']'.repeat(3000)}`, 'nested too deeply'],
    ['a thousand levels of fields', Array.from({ length: 1300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 'nested'],
    ['a tag that makes something else of a value', 'series: !custom demo\n', 'Unresolved tag'],
    ['the name __proto__', 'series: demo\ncolumns: { __proto__: { a: b } }\n', '__proto__'],
    ['a hundred thousand mistakes', '"'.repeat(200_000), 'no YAML'],
    ['sixty thousand fields', Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n'), 'members'],
    ['fifty thousand anchors', Array.from({ length: 50_000 }, (_, i) => `- &a${i} 1`).join('\n'), 'entries'],
    ['levels of dashes without end', '- '.repeat(200_000), 'nested'],
    ['an Ed25519 key without its armour', 'key: MC4CAQAwBQYDK2VwBCIEIAAAAAAAAAA', 'private key'],
    ['a megabyte and more', `# ${'x'.repeat(2 ** 20)}\n`, 'larger than 1 MiB'],
    ['a device', null, 'cannot be read'],
  ])('are found in %s', async (_name, content, words) => {
    const issues = await issuesOf(content === null ? '/dev/zero' : write(content));
    expect(issues.map(({ sentence }) => sentence).join()).toContain(words);
    expect(issues.length).toBeLessThanOrEqual(100);
  });

  it('are found in a private key, of which nothing is repeated', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\n  MC4CAQAwBQYDK2VwBCIE\n  -----END PRIVATE KEY-----\n';
    const issues = await issuesOf(write(`series: demo\nkey: |\n  ${key}`));
    expect(issues).toMatchObject([{ line: 3, sentence: expect.stringContaining('private key') }]);
    expect(JSON.stringify(issues)).not.toContain('MC4CAQ');
  });

  it('are found in a pattern that is longer than a key, which is not matched with anything', async () => {
    const from = performance.now();
    expect(await mistakes('pattern: ', `pattern: "${'*a'.repeat(300_000)}" # `)).toHaveLength(1);
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('are found in a list that is a device, and in more modes than a series has', async () => {
    expect(await mistakes('dictionary: bus.csv', 'dictionary: /dev/zero')).toHaveLength(1);
    const many = Array.from({ length: 50_000 }, (_, i) => `m${i}`).join(', ');
    expect((await mistakes('modes: [bus, train]', `modes: [${many}]`)).length).toBeLessThan(10);
  });
});
