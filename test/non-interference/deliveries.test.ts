import { cp } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import type { AuditReport } from '../../contracts/audit-report.ts';
import { partitionPath } from '../../contracts/names.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { type InputReport, inputReport } from '../../custodian/preview/input-report.ts';
import { preview } from '../../custodian/preview/preview.ts';
import type { RowsShown } from '../../custodian/private-context.ts';
import { newFolder } from '../support/new-folder.ts';
import { ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import {
  type Edit,
  loadSmallSeries,
  SMALL_DAYS,
  SMALL_MODES,
  SMALL_WINDOW,
  smallTrips,
} from '../support/small-series.ts';
import { weeks } from '../support/weekly-series.ts';
import { type Observed, observe, observeRelease, type Twin, tellsApart, withOneShadow } from './observation.ts';
import type { World } from './worlds.ts';

/**
 * C20 for what a supplier does wrong: two worlds of one inventory and of the same counts, of which one has a delivery
 * twice, or of last week, or one that can hardly be read. The custodian learns of it, and the public side sees no
 * difference.
 */
const HEADER = smallTrips(SMALL_DAYS[0]!, 'bus').split('\n')[0]!;
const BUS = 'bus/2026-03-03';

/** Thirty trips of the same cells, of these seconds: other rows, and no other counts. */
const trips = (mode: string, day: string, from: number): string =>
  [HEADER, ...Array.from({ length: 30 }, (_, at) => tripAt(mode, day, String(from + at).padStart(2, '0')))].join('\n');
const tripAt = (mode: string, day: string, second: string): string =>
  `${mode},${day} 08:05:${second},stop-2,${day} 08:35:00,stop-1`;

/** Every day and mode in three objects; `last` makes the last one of a bus. */
function worldOf(last: (first: string) => string): World {
  const objects = new Map<string, Buffer>();
  for (const day of SMALL_DAYS)
    for (const mode of SMALL_MODES) {
      const [usual, first] = [smallTrips(day, mode), trips(mode, day, 0)];
      const third = partitionPath({ part: mode, day }) === BUS ? last(first) : `${HEADER}\n`;
      for (const [name, text] of Object.entries({ a: usual, b: first, c: third }))
        objects.set(`${day}/${mode}_${name}.csv`, Buffer.from(text));
    }
  return { objects };
}

const DAY = SMALL_DAYS[1]!;
const reversed = (text: string): string => [HEADER, ...text.split('\n').slice(1).reverse()].join('\n');
/** The worlds that have the same counts as a sound one, with what the custodian learns of each. */
const CASES: [string, (first: string) => string, (first: string) => string, string][] = [
  ['one line end more', () => trips('bus', DAY, 30), (first) => `${first}\n`, 'are the same'],
  ['a new name and another order', () => trips('bus', DAY, 30), reversed, 'are the same'],
  ['the same bytes', () => `${HEADER}\n`, (first) => first, `bus_c.csv has the same bytes as ${DAY}/bus_b.csv`],
  ['a file of last week', () => `${HEADER}\n`, () => trips('bus', '2026-02-24', 0), 'Hardly a row'],
  ['a file that hardly can be read', () => `${HEADER}\n`, () => `${HEADER}\n${'x\n'.repeat(40)}`, 'Hardly a row'],
  ['a clock that is half a day late', () => `${HEADER}\n`, () => trips('bus', '2026-03-05', 0), 'Hardly a row'],
];

describe('@contract C20 @contract C5 what is wrong with deliveries is told to custodians alone', () => {
  let setup: LoadedSeries;
  const quick = withOneShadow();
  beforeAll(async () => {
    setup = await loadSmallSeries((yaml) =>
      yaml.replace('{mode}.csv.gz', '{mode}_*.csv').replace('format: csv\n  compression: gzip', 'format: csv'),
    );
  });
  const told = ({ custodian }: Observed): string =>
    [...custodian].flatMap(([key, text]) => (key.startsWith('private/warnings/') ? [text] : [])).join('\n');

  const KEPT = new Set(['one line end more']);
  for (const [name, sound, wrong, sentence] of CASES)
    test(name, { tags: KEPT.has(name) ? [] : ['soak'] }, async () => {
      const one = await observe(setup, worldOf(sound), quick);
      const other = await observe(setup, worldOf(wrong), quick);
      expect(tellsApart(one, other)).toEqual([]);
      expect(told(one)).not.toContain(sentence);
      expect(told(other)).toContain(sentence);
    });

  test('a broken twin that makes a fault of it is caught', async () => {
    const twin: Twin = (activities, release) => ({
      ...quick(activities, release),
      bin: async (input) => {
        const answer = await activities.bin(input);
        const text = [...(await release.objects(['private']))].find(([key]) => key.endsWith('/0/bin.json'))?.[1];
        const fault = { object: 'bus', code: 'OBJECT_TWICE' as const, partitions: [] };
        return text?.includes('"alike"') ? { faults: [fault] } : answer;
      },
    });
    const one = await observe(setup, worldOf(CASES[0]![1]), twin);
    const other = await observe(setup, worldOf(CASES[0]![2]), twin);
    expect(tellsApart(one, other)).toEqual(['status']);
  });
});

/** The faults that change counts, as files: a supplier who delivers two of each day and mode, one trip in the second. */
type Files = Map<string, string>;
const filesOf = (window: string): Files =>
  new Map(
    [0, 1, 2]
      .map((day) => addDays(window, day))
      .flatMap((day) =>
        SMALL_MODES.flatMap((mode): [string, string][] => {
          const morning = smallTrips(day, mode);
          const evening = morning.split('\n').slice(1).join('\n').replaceAll(' 08:', ' 17:');
          return [
            [`${day}/${mode}_a.csv`, morning + evening],
            [`${day}/${mode}_b.csv`, `${HEADER}\n${tripAt(mode, day, '59').replaceAll(' 08:', ' 12:')}\n`],
          ];
        }),
      ),
  );
const asWorld = (files: Files): World => ({
  objects: new Map([...files].map(([key, text]) => [key, Buffer.from(text)])),
});
const edited = (files: Files, named: RegExp, edit: (text: string) => string): Files =>
  new Map([...files].map(([key, text]) => [key, named.test(key) ? edit(text) : text]));
const without = (files: Files, named: RegExp, row: RegExp): Files =>
  edited(files, named, (text) => text.replaceAll(row, ''));

/** Five honest windows, and after them the one with a fault on its Tuesday. */
const EARLIER = weeks(5, '2026-01-26');
const LAST = SMALL_WINDOW;
const BUS_OF_TUESDAY = /03-03.bus_a/;
const EVERY_ROW = /^(bus|ferry),.*\n/gm;

/**
 * A fault of the delivery; what custodians see of it in preview, in rejects and by their channels, and what a
 * manager is shown at the gate: the finding, and the place that changed most.
 */
type Fault = {
  name: string;
  wrong: (files: Files) => Files;
  custodian: RegExp | null;
  manager: [id: 'usual-taps' | 'usual-profile', sentence: RegExp] | null;
  place?: string;
};
const FAULTS: Fault[] = [
  {
    name: 'a lost day',
    wrong: (files) => without(files, /03-03/, EVERY_ROW),
    custodian: /No row belongs to bus\/2026-03-03, ferry\/2026-03-03\./,
    manager: ['usual-taps', /Far fewer taps than is usual: bus\/2026-03-03 .*, ferry\/2026-03-03 /],
  },
  {
    name: 'half a day',
    wrong: (files) => without(files, BUS_OF_TUESDAY, /^bus,\S+ 17:.*\n/gm),
    custodian: null,
    manager: ['usual-taps', /Far fewer taps than is usual: bus\/2026-03-03 \([^,]*, usual [^,]*\)\./],
  },
  {
    name: 'one mode',
    wrong: (files) => without(files, /ferry/, EVERY_ROW),
    custodian: /No row belongs to ferry\/2026-03-02, ferry\/2026-03-03, ferry\/2026-03-04\./,
    manager: ['usual-taps', /Far fewer taps than is usual: ferry\/2026-03-02 /],
  },
  {
    name: 'one line',
    wrong: (files) => without(files, /bus/, /^bus,\S+ [01][78]:\d\d:00,stop-2.*\n/gm),
    custodian: null,
    // A line of a small mode is less than usual-taps can see: its places are named.
    manager: null,
    place: '2001',
  },
  {
    name: 'a file twice',
    wrong: (files) => new Map([...files, [`${DAY}/bus_b.csv`, `${files.get(`${DAY}/bus_a.csv`)}\n`]]),
    custodian: /100\.0 % of the rows of .*bus_[ab]\.csv and .*bus_[ab]\.csv are the same/,
    manager: ['usual-taps', /Far more taps than is usual: bus\/2026-03-03 /],
  },
  {
    name: 'a file of last week under a new name',
    wrong: (files) => edited(files, BUS_OF_TUESDAY, (text) => text.replaceAll(DAY, '2026-02-24')),
    custodian: /Hardly a row of .*bus_a\.csv can be read: 100\.0 % was rejected/,
    manager: ['usual-taps', /Far fewer taps than is usual: bus\/2026-03-03 /],
  },
  {
    name: 'a wrong clock',
    wrong: (files) =>
      edited(files, BUS_OF_TUESDAY, (text) => text.replaceAll(' 08:', ' 20:').replaceAll(' 17:', ' 05:')),
    custodian: null,
    manager: ['usual-profile', /bus\/2026-03-03/],
  },
];

const LONG = { timeout: 120_000 };
const COMPLETE =
  (epsilon: number, split: string): Edit =>
  (yaml) =>
    yaml
      .replace('{mode}.csv.gz', '{mode}_*.csv')
      .replace('format: csv\n  compression: gzip', 'format: csv')
      .replace('mechanism: stability-histogram', 'mechanism: complete-domain\n  floor: 20\n  hours: { floor: 20 }')
      .replace('epsilon: 8\n  delta: 1e-6', `epsilon: ${epsilon}\n  delta: 0\n  split: ${split}`);

describe('@contract C20 a delivery that lacks rows, or has too many, is seen by whom it is for, and by nobody before', () => {
  let history: ReleaseBench;
  let honest: Observed;
  const shadow = withOneShadow();
  /** One release beside five honest ones of the weeks before, with noise of its own. */
  const lastOf = async (files: Files): Promise<{ seen: Observed; report: InputReport; shown: RowsShown }> => {
    const bench = new ReleaseBench(newFolder(), history.loaded, LAST);
    try {
      await cp(history.root, bench.root, { recursive: true });
      const seen = await observeRelease(bench, asWorld(files), shadow, { random: seededSource(77), id: 77 });
      const context = bench.contexts().private;
      const question = { partitions: bench.partitions, kept: null, samples: 0 };
      const report = await inputReport(context, bench.run(), question);
      const { shown } = await preview(context, bench.loaded, LAST);
      return { seen, report, shown };
    } finally {
      await bench.close();
    }
  };
  beforeAll(async () => {
    const root = newFolder();
    const loaded = await loadSmallSeries(COMPLETE(40, '{ cells: 10, time: 20, location: 10 }'));
    for (const [week, window] of EARLIER.entries()) {
      history = await new ReleaseBench(root, loaded, window).prepared();
      await observeRelease(history, asWorld(filesOf(window)), withOneShadow(), {
        random: seededSource(week),
        id: week,
      });
    }
    honest = (await lastOf(filesOf(LAST))).seen;
  }, 300_000);
  afterAll(() => history?.close());

  const auditOf = ({ objects }: Observed): AuditReport =>
    JSON.parse(objects.get(`publication/small/${LAST}/v1/audit.json`)!);
  const namesOf = ({ objects }: Observed): string[] =>
    [...objects.keys()].map((key) => key.replaceAll(/[0-9a-f]{64}/g, '<digest>')).sort();
  const sentenceOf = (seen: Observed, id: string): string =>
    auditOf(seen).checks.find((one) => one.id === id)!.sentence;
  const channel = ({ custodian }: Observed): string =>
    [...custodian]
      .flatMap(([key, text]) => (key.startsWith(`private/warnings/small/${LAST}`) ? [text] : []))
      .join('\n');

  test('of an honest delivery nobody is told anything', async () => {
    expect(auditOf(honest).checks.filter(({ verdict }) => verdict === 'attention')).toEqual([]);
    expect(channel(honest)).not.toContain('sentence');
  });

  // One that lacks rows, and one that moves them; the others in the soak.
  const KEPT = new Set(['a lost day', 'a wrong clock']);
  for (const { name, wrong, custodian, manager, place } of FAULTS)
    test(name, { ...LONG, tags: KEPT.has(name) ? [] : ['soak'] }, async () => {
      const { seen, report, shown } = await lastOf(wrong(filesOf(LAST)));
      // Before the draw: states, codes, charges, payloads, and every object of the public stores.
      expect(tellsApart(honest.undrawn, seen.undrawn)).toEqual([]);
      expect(seen.undrawn.objects.size).toBeGreaterThan(10);
      // After it: other bytes of what follows from the draw, and no object more or less.
      expect(namesOf(seen)).toEqual(namesOf(honest));
      if (manager) {
        const [id, sentence] = manager;
        expect(sentenceOf(honest, id)).not.toMatch(sentence);
        expect(sentenceOf(seen, id)).toMatch(sentence);
      }
      if (place) {
        const placesOf = (one: Observed): string[] => auditOf(one).history!.places.map((changed) => changed.place);
        expect(placesOf(honest)).not.toContain(place);
        expect(placesOf(seen)).toContain(place);
      }
      // Warnings of partitions without rows are a list of their own in preview.
      const empty = shown.empty.map(partitionPath).join(', ');
      const previewed = [...shown.warnings, ...(empty === '' ? [] : [`No row belongs to ${empty}.`])];
      if (custodian)
        for (const told of [channel(seen), report.warnings.join('\n'), previewed.join('\n')])
          expect(told).toMatch(custodian);
      else expect([channel(seen).includes('sentence'), report.warnings, previewed]).toEqual([false, [], []]);
      // The exact totals are there in preview and rejects alike.
      expect(report.totals.map(({ counted }) => counted)).toEqual(shown.totals.map(({ counted }) => counted));
    });
});
