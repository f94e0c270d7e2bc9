import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeProject } from '../client/project/make-project.ts';
import { conflicts } from '../client/project/project-answers.ts';
import { patternOf } from '../client/project/sample-pattern.ts';
import { loadSeriesFile } from '../client/series/series-file.ts';
import { formatRational, multiply, parseRational, rational } from '../core/rational/rational.ts';
import { readPolicyFile } from '../custodian/policy/policy-file.ts';
import { generateSigningKey } from '../services/signing/keys.ts';
import { readTrustFile } from '../services/trust/trust-file.ts';
import { readProject } from '../stack/project-stack.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { askProject, type InitOptions } from './project-questions.ts';

const folder = newFolder();
beforeAll(async () => {
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'data', '2026-03-02.csv'), 'card,start,from,end,to\nsecret,1,2,3,4\n');
  await writeFile(join(folder, 'stops.csv'), 'location\nBay\nQuay\n');
  await writeFile(join(folder, 'zones.psv'), 'zone_id|zone_name\nZ1|Old quay\n');
});

const options = (change: Partial<InitOptions> = {}): InitOptions => ({
  source: join(folder, 'data'),
  sample: '2026-03-02.csv',
  columns: ['on_time=start', 'on_location=from', 'off_time=end', 'off_location=to'],
  modes: 'bus',
  timeZone: 'Europe/Zurich',
  locations: [join(folder, 'stops.csv')],
  custodian: ['ada'],
  approver: ['ben'],
  stopsBy: 'stop_id',
  ...change,
});

describe('a script', () => {
  test.each<[string, Partial<InitOptions>, string | RegExp]>([
    ['no source', { source: undefined }, 'these are needed too: --source;'],
    [
      'all that is missing at once',
      { timeZone: undefined, columns: undefined, unit: 'card-day' },
      'these are needed too: --columns, --time-zone; `opaline init --help`',
    ],
    ['somebody who is named twice', { approver: ['ben', 'ben'] }, 'ben is named twice as an approver'],
    ['an encoding that is none', { encoding: 'ebcdic' }, 'ebcdic is not one of utf-8, latin-1'],
    ['no sample there', { sample: 'other.csv' }, 'There is no other.csv in folder:'],
    ['a column that is not there', { columns: ['on_time=begin'] }, 'The file has no column begin.'],
    ['a column that we do not have', { columns: ['time=start'] }, 'those of Opaline are mode, card, on_time'],
    ['a list that is not there', { locations: ['nowhere.csv'] }, 'nowhere.csv cannot be read'],
    ['a list of a mode that is none', { locations: ['tram=stops.csv'] }, 'the mode tram'],
    ['an ε that is no number', { epsilon: 'much' }, 'much is no positive number'],
    ['a card unit without cards', { unit: 'card-day' }, 'needs the column of the card'],
    ['a figure of one mode of two', { modes: 'bus,tram', tapsPerWeek: 'bus=5000' }, 'does not name each of bus, tram'],
    ['a day that begins in the afternoon', { dayStarts: '14:00' }, '14:00 is no full hour before noon'],
    ['a figure that could be a count', { tapsPerWeek: '312,456' }, 'more digits would be a count'],
    [
      'a JSON document without the first field',
      { sample: 'x.json', modes: undefined },
      'needed too: --modes, --first;',
    ],
    [
      'a list with columns of its own, which are public',
      { locations: [join(folder, 'zones.psv')] },
      /--place-columns is needed.*zones\.psv.*location=COLUMN.* It has zone_id, zone_name$/,
    ],
    ['a list without the column of the location', { placeColumns: ['name=x'] }, '--place-columns lacks location;'],
    ['a design that is none', { design: '15-many' }, '15-many is not one of'],
  ])('is told of %s', async (_, change, sentence) => {
    await expect(askProject('my-taps', options(change), null)).rejects.toThrow(sentence);
  });

  test('C17: is never told what the first row holds, which may be data', async () => {
    const error = await askProject('my-taps', options({ columns: ['on_time=x'] }), null).catch(String);
    expect(error).toContain('no column x');
    expect(error).not.toMatch(/card|start/);
  });
});

test('a file that its name does not describe is read as somebody says', async () => {
  const places = join(folder, 'places.csv');
  await writeFile(places, 'code,label\nBay,The bay\n');
  const change = { locations: [places], placeColumns: ['location=code', 'name=label'] };
  const sourceOf = async (name: string, more: Partial<InitOptions>) => {
    await writeFile(join(folder, 'data', name), 'start\tfrom\tend\tto\n');
    const target = join(folder, `project-${name}`);
    await makeProject(target, await askProject(target, options({ ...change, sample: name, ...more }), null));
    expect(await readFile(join(target, 'locations', 'all.csv'), 'utf8')).toBe('location,name\nBay,The bay\n');
    return (await loadSeriesFile(join(target, 'series.yaml'))).series.source;
  };
  expect(await sourceOf('2026-03-02.tsv', {})).toMatchObject({ format: 'csv', csv: { delimiter: '\t' } });
  const header = 'start,from,end,to,note';
  expect(await sourceOf('2026-03-02.dump', { format: 'csv', delimiter: 'tab', header, ragged: true })).toMatchObject({
    format: 'csv',
    csv: { delimiter: '\t', ragged: true, header: header.split(',') },
  });
  const json = { list: 'data.rows', first: 'start' };
  expect(await sourceOf('2026-03-02.json', json)).toMatchObject({ format: 'json', json });
  await expect(sourceOf('2026-03-03.json', {})).rejects.toThrow('needed too: --first;');
});

test('fields of JSON inside others are read by a select, and such columns in a file are refused with what to write', async () => {
  await writeFile(join(folder, 'data', '2026-03-05.jsonl'), '{}\n');
  const target = join(folder, 'nested');
  const columns = ['time=board.time', 'tap=board.kind', 'location=stop-area.id'];
  const change = { rows: 'taps', columns, sample: '2026-03-05.jsonl' };
  await makeProject(target, await askProject(target, options(change), null));
  const file = join(target, 'series.yaml');
  const { source } = (await loadSeriesFile(file)).series;
  expect(source).toMatchObject({
    select: `SELECT json->>'$.board.time' AS time, json->>'$.board.kind' AS tap, json->>'$."stop-area".id' AS location FROM source`,
  });
  const text = await readFile(file, 'utf8');
  expect(text).toContain(`CASE json->>'$.board.kind' WHEN 'IN'`);
  const written = 'columns: { time: board.time, tap: kind, location: stop }';
  await writeFile(file, text.replace(/^ {2}select: .*$/m, `  ${written}`));
  await expect(loadSeriesFile(file)).rejects.toThrow(
    `source.columns — Columns of JSON are fields of the outermost level, and board.time is not one. A select reads a field inside another, as json->>'$.board.time' AS time`,
  );
});

test('a file of taps says how those with other words are read, and that reading is allowed', async () => {
  const target = join(folder, 'words');
  const columns = ['time=start', 'tap=end', 'location=from'];
  await makeProject(target, await askProject(target, options({ rows: 'taps', columns }), null));
  const text = await readFile(join(target, 'series.yaml'), 'utf8');
  const [, select] = /^ {2}# {3}(select: .*)$/m.exec(text)!;
  expect(select).toContain(`CASE "end" WHEN 'IN' THEN 'on' WHEN 'OUT' THEN 'off' END AS tap`);
  const chosen = text.replace(/^ {2}columns: .*\n/m, `  ${select}\n`);
  await writeFile(join(target, 'chosen.yaml'), chosen);
  expect((await loadSeriesFile(join(target, 'chosen.yaml'))).series.source).toMatchObject({
    select: expect.stringContaining('AS tap'),
  });
});

test('on a terminal what no option says is asked, and asked again when it cannot be read', async () => {
  const asked: string[] = [];
  const typed: Record<string, string[]> = {
    'Modes,': ['tram!', 'tram'],
    'What a row is': ['rides'],
    'Which column is on_time': ['begin', 'start'],
    'Which column is on_location': ['from'],
    'Which column is off_time': ['end'],
    'Which column is off_location': ['to'],
  };
  const ask = async (question: string) => {
    asked.push(question.split(/[:?]/)[0]!);
    return (
      Object.entries(typed)
        .find(([words]) => question.startsWith(words))?.[1]
        .shift() ?? ''
    );
  };
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const answers = await askProject('My Taps', options({ modes: undefined, columns: undefined }), ask);
  expect(shown.mock.calls.join('')).toContain('The file has no column begin.');
  shown.mockRestore();
  expect(asked.slice(0, 3)).toEqual(['Name of the series', 'Modes, with commas between', 'Modes, with commas between']);
  expect(asked.filter((question) => question === 'Which column is on_time')).toHaveLength(2);
  expect(answers).toMatchObject({ series: 'my-taps', modes: ['tram'] });
  expect(answers.source.columns).toEqual({
    on_time: 'start',
    on_location: 'from',
    off_time: 'end',
    off_location: 'to',
  });
  expect(answers.source.pattern).toBe('{date}.csv');
  expect(answers).toMatchObject({ expected: null, design: { name: '30-cells', shows: null } });
  expect(answers.design.certificate).toMatchObject({ unit: 'trip', mechanism: 'complete-domain', deltaUpper: '0' });
});

test('on a terminal a delimiter is proposed, a document and foreign places are asked for, and no answer is refused', async () => {
  await writeFile(join(folder, 'places-of-others.csv'), 'code,label\nBay,The bay\n');
  await writeFile(join(folder, 'data', '2026-03-04.txt'), 'start\tfrom\tend, or not\tto\n');
  await writeFile(join(folder, 'data', '2026-03-04.json'), '{}');
  const change = { columns: ['on_time=start', 'on_location=from'], locations: [join(folder, 'places-of-others.csv')] };
  const typed = ['', 'name=label', 'location=code, name=label', '', 'start'];
  const asked: [question: string, usual: string | null][] = [];
  const ask = async (question: string, usual: string | null) => {
    asked.push([question, usual]);
    if (/^(Which columns of|The field that)/.test(question)) return typed.shift()!;
    return '';
  };
  const shown = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const text = await askProject('x', options({ ...change, sample: '2026-03-04.txt' }), ask);
  const document = await askProject('x', options({ columns: change.columns, sample: '2026-03-04.json' }), ask);
  const sentences = shown.mock.calls.join('');
  shown.mockRestore();
  expect(sentences.match(/An answer is needed/g)).toHaveLength(2);
  expect(sentences).toContain('--place-columns lacks location;');
  expect(text.source).toMatchObject({ delimiter: '\t', json: null });
  expect([...text.lists.files.values()]).toEqual(['location,name\nBay,The bay\n']);
  expect(document.source.json).toEqual({ list: undefined, first: 'start' });
  const questions = asked.map(([question]) => question);
  expect(asked.find(([question]) => question.startsWith('What is between'))?.[1]).toBe('tab');
  expect(questions.filter((question) => /^[εδ] of/.test(question))).toHaveLength(4);
  expect(questions.findIndex((one) => one.startsWith('The field that'))).toBeLessThan(
    questions.findLastIndex((one) => one.startsWith('Names of all files')),
  );
});

test('C17: by a public figure a design is proposed, with a small share for checks, and what it shows', async () => {
  const target = join(folder, 'proposed');
  const columns = [...options().columns!, 'card=card'];
  const note = ['Ferries are free on Sundays.'];
  const trip = await askProject(target, options({ tapsPerWeek: '300000', unit: 'trip', note }), null);
  expect(trip.design).toMatchObject({ name: '15-cells', shows: expect.stringContaining('% of taps in cells') });
  await makeProject(target, trip);
  const { series } = await loadSeriesFile(join(target, 'series.yaml'));
  expect(series).toMatchObject({
    expected: { tapsPerWeek: 300_000 },
    privacy: { mechanism: 'complete-domain', split: { checks: '1/10' }, rejects: { bus: 42_858 }, hours: { bins: 4 } },
    publication: { notes: expect.arrayContaining(note) },
  });
  // Whoever has cards protects cards.
  const card = await askProject('x', options({ columns }), null);
  expect(card.design.certificate).toMatchObject({ unit: 'card-day', maxTaps: 4 });
  expect(card.design.certificate.rejects).toBeUndefined();
  const named = await askProject('x', options({ design: '60-totals' }), null);
  expect(named.design.grid.minutes).toBe(60);
  // Nobody can say of which day a reject of such a file is.
  const whole = await askProject('x', options({ tapsPerWeek: '300000', pattern: 'all.csv' }), null);
  expect(whole.design.certificate.rejects).toBeUndefined();
  const on = await askProject('x', options({ columns: ['on_time=start', 'on_location=from'] }), null);
  expect(on.design.certificate.publish).toBe('on');
});

test('@contract C17: with cards and enough taps the week of a card is proposed, and its policy counts ρ', async () => {
  const target = join(folder, 'people');
  const columns = [...options().columns!, 'card=card'];
  const people = await askProject(target, options({ columns, tapsPerWeek: '300000' }), null);
  expect(people.design).toMatchObject({ name: '30-week', shows: expect.stringContaining('% of taps in cells') });
  const { rho } = people.design.certificate;
  await makeProject(target, people);
  const { series } = await loadSeriesFile(join(target, 'series.yaml'));
  expect(series).toMatchObject({
    privacy: {
      mechanism: 'discrete-gaussian',
      unit: 'card-window',
      maxTaps: 28,
      place: 2,
      neighbours: 'add-remove',
      epsilon: '1',
      delta: '1/1000000',
      split: { cells: '4/5', time: '2/25', location: '3/25' },
      floor: people.design.certificate.threshold,
      caps: { block: { rho: formatRational(multiply(rational(2n), parseRational(rho!))) } },
    },
  });
  const { populations } = (await readPolicyFile(join(target, 'policy.yaml'))).policy;
  expect(populations['people-riders']).toMatchObject({
    accounting: 'rho',
    neighbours: 'add-remove',
    mechanisms: ['complete-domain', 'discrete-gaussian'],
    release: { epsilon: '1', delta: '1/1000000', rho },
  });
  // Of few taps a week at ε = 1 would show hardly any: the day of a card is proposed, as where nobody says how many.
  const few = await askProject('x', options({ columns, tapsPerWeek: '5000' }), null);
  expect(few.design.certificate).toMatchObject({ unit: 'card-day', maxTaps: 4, epsilon: '8' });
  const monthly = await askProject('x', options({ columns, tapsPerWeek: '300000', windowDays: 'month' }), null);
  expect(monthly.design.certificate.unit).toBe('card-day');
}, 240_000);

test('each mode has its own limit of rejects where its figure is public, and a traffic day is written down', async () => {
  const target = join(folder, 'traffic-day');
  const change = {
    modes: 'bus,ferry',
    tapsPerWeek: 'bus=300000 ferry=2000',
    unit: 'trip',
    dayStarts: '04:00',
    pattern: '{mode}/{date}.csv',
  };
  const answers = await askProject(target, options(change), null);
  expect(answers).toMatchObject({ expected: 300_000, starts: '04:00' });
  await makeProject(target, answers);
  const { series } = await loadSeriesFile(join(target, 'series.yaml'));
  expect(series).toMatchObject({
    day: { starts: '04:00', ends: '28:00' },
    privacy: { rejects: { bus: 42_858, ferry: 800 } },
  });
});

test('an archive is not opened: its columns are believed', async () => {
  await writeFile(join(folder, 'data', '2026-03-02.zip'), 'no archive');
  const { source } = await askProject('my-taps', options({ sample: '2026-03-02.zip' }), null);
  expect(source).toMatchObject({ format: 'csv', compression: 'zip', pattern: '{date}.zip', header: null });
});

test('whoever leaves half-way makes nothing', async () => {
  const gone = askProject('my-taps', options({ modes: undefined }), async () => null);
  await expect(gone).rejects.toThrow('Nothing was made');
});

test.each([
  ['2026-03-02.csv', ['bus'], '{date}.csv'],
  ['trips/2026-03-02/bus.csv', ['bus', 'tram'], 'trips/{date}/{mode}.csv'],
  ['trips/2026-03-02/busway.csv', ['bus', 'tram'], 'trips/{date}/busway.csv'],
  ['all.csv', ['bus', 'tram'], 'all.csv'],
  ['taps_20260309.csv', ['bus'], 'taps_{yyyymmdd}.csv'],
  ['2026/03/09/taps.csv', ['bus'], '{yyyy}/{mm}/{dd}/taps.csv'],
  ['Fahrten 09.03.2026.csv', ['bus'], 'Fahrten {dd}.{mm}.{yyyy}.csv'],
  ['line-99.03.2026.csv', ['bus'], 'line-99.03.2026.csv'],
  ['taps-2026-03.csv', ['bus'], 'taps-{month}.csv'],
  ['taps202603.csv', ['bus'], 'taps{yyyymm}.csv'],
  ['2026-Q1/taps.csv', ['bus'], '{quarter}/taps.csv'],
  ['bus_2026-W48.csv', ['bus', 'tram'], '{mode}_{week}.csv'],
  ['taps2026w48.csv', ['bus'], 'taps{gggg}w{ww}.csv'],
  ['2026-W99.csv', ['bus'], '2026-W99.csv'],
  ['line-20269999.csv', ['bus'], 'line-20269999.csv'],
])('the pattern of %s', (key, modes, pattern) => {
  expect(patternOf(key, modes)).toBe(pattern);
});

test.each([
  [['trips_20260302.csv', 'trips_20260309.csv', 'trips_20260323.csv', 'notes.csv'], 'trips_*.csv'],
  [['trips_20260302.csv', 'trips_20260303.csv', 'trips_20260323.csv'], 'trips_{yyyymmdd}.csv'],
  [['trips_20260302.csv'], 'trips_{yyyymmdd}.csv'],
  [['Week of 2026-03-02.csv'], 'Week of *.csv'],
  [['2026-03-02_2026-03-08.csv', '2026-03-09_2026-03-15.csv'], '*_*.csv'],
  [['bus/2026/03/02.csv', 'bus/2026/03/09.csv', 'tram/2026/03/02.csv', 'tram/2026/03/09.csv'], '{mode}/*/*/*.csv'],
])('a file of a week is found by names alone, and then no day is in the pattern: %j', async (keys, pattern) => {
  const source = join(folder, `names ${pattern.replaceAll('/', ' ')} ${keys.length}`);
  for (const key of keys) {
    await mkdir(dirname(join(source, key)), { recursive: true });
    await writeFile(join(source, key), 'start,from,end,to\n');
  }
  const modes = pattern.includes('{mode}') ? 'bus,tram' : 'bus';
  const { source: made } = await askProject('x', options({ source, sample: keys[0]!, modes }), null);
  expect(made.pattern).toBe(pattern);
});

describe('C16: a project', () => {
  const brought = async (): Promise<Partial<InitOptions>> => {
    const [root, ben] = [join(folder, 'root.pub'), join(folder, 'ben.pub')];
    await writeFile(root, generateSigningKey().publicKey);
    await writeFile(ben, generateSigningKey().publicKey);
    return { rootKey: root, approver: [`ben=${ben}`] };
  };

  test('whose keys are all made here is a trial, which says so in its trust file, policy and statement', async () => {
    const target = join(folder, 'trial');
    const made = await makeProject(target, await askProject(target, options(), null));
    expect(made.protects).toBe('one trip, with its tap on and its tap off, at ε = 8 for each release');
    expect(made.conflicts).toEqual([expect.stringContaining('key of ben'), expect.stringContaining('root key')]);
    expect((await loadSeriesFile(join(target, 'series.yaml'))).series.publication).toMatchObject({
      purpose: 'trial',
      notes: [expect.stringContaining('so this is a trial')],
    });
    expect((await readTrustFile(join(target, 'trust.json'))).at(-1)).toMatchObject({ demo: true });
    expect(await readProject(join(target, 'deployment.yaml'))).toMatchObject({ allowDemoKeys: true });
    await expect(makeProject(target, await askProject(target, options(), null))).rejects.toThrow('not empty');
  });

  test('whose root and approvers brought keys is none, and waits for the root to sign', async () => {
    const target = join(folder, 'real');
    const made = await makeProject(target, await askProject(target, options(await brought()), null));
    expect(made).toMatchObject({ conflicts: [], keys: [] });
    expect((await loadSeriesFile(join(target, 'series.yaml'))).series.publication.purpose).toBeUndefined();
    expect(made.files).toContain('trust-version-1.json');
    expect(made.files).not.toContain('trust.json');
    expect(made.files.filter((file) => /\.pem$/.test(file))).toEqual([
      'keys/ledger.pem',
      'keys/publisher.pem',
      'keys/series.pem',
    ]);
    expect(await readProject(join(target, 'deployment.yaml'))).toMatchObject({ allowDemoKeys: false });
  });

  test('whose custodian decides is a trial all the same', async () => {
    const answers = await askProject('x', options({ ...(await brought()), custodian: ['ada', 'ben'] }), null);
    expect(conflicts(answers)).toEqual(['ben may see raw data and decides at the gate.']);
  });

  test('whose answers do not fit is not made', async () => {
    const target = join(folder, 'none');
    const answers = await askProject(target, options({ timeZone: 'Mars/Base' }), null);
    await expect(makeProject(target, answers)).rejects.toThrow('timeZone — No such time zone');
    await expect(makeProject(target, answers)).rejects.not.toThrow('.part-');
  });
});
