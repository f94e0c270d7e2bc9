import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { shadow } from '../../../activities/private/shadow.ts';
import { audit } from '../../../activities/public/audit.ts';
import { derive } from '../../../activities/public/derive.ts';
import { jsonBytes, readBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { readSeries } from '../../../activities/stores/series-objects.ts';
import type { AuditReport } from '../../../contracts/audit.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../../contracts/names.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { publicContextBelow } from '../../../test/support/folder-contexts.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import type { Binned } from '../../../test/support/release-bench.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { SYNTHETIC_FILES } from '../files.ts';
import { syntheticPrivacySchema } from '../privacy-file.ts';
import { syntheticSeries } from '../series.ts';
import { ADDED, binned, drawn, type Objects, PARTITIONS, type SmallChange, TRIPS } from '../small-synthetic.fixture.ts';
import type { SyntheticTable } from '../synthetic-table.ts';
import { type DrawnPartition, formatMeasurements, formatTable, parseMeasurements } from '../table-csv.ts';
import { formatParquetTable } from '../table-parquet.ts';
import { auditSynthesis } from './audit.ts';
import { deriveSynthesis } from './derive.ts';

const folder = newFolder();
let root: string;
beforeEach(() => {
  root = join(folder, randomUUID());
});

type Staged = { run: Binned; input: DeriveInput };
type Files = Map<string, Buffer>;
/** What a bug does to the files; what it leaves is audited instead. */
type Plant = (files: Files) => void | Promise<void>;

async function release(objects: Objects, change: SmallChange = {}, seed = 1): Promise<Staged> {
  const run = await binned(root, objects, change, { random: seededSource(seed) });
  return { run, input: await drawn(run) };
}

/** Derives the files of a release, plants a bug in them, and audits them. */
async function audited(
  { run, input }: Staged,
  plant: Plant = () => undefined,
  made: Promise<object> = shadow(run.context, input),
): Promise<AuditReport> {
  const context = publicContextBelow(root);
  const series = syntheticSeries(await readSeries(context.releaseStore, input));
  const files = new Map(await deriveSynthesis(context, input, series));
  await plant(files);
  return auditSynthesis(context, { ...input, shadow: await made }, series, files);
}

const failing = ({ checks }: AuditReport): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const privacyOf = (files: Files) =>
  syntheticPrivacySchema.parse(JSON.parse(files.get(SYNTHETIC_FILES.privacy)!.toString('utf8')));

/**
 * Writes all files that hold measurements anew, as somebody would who changes them and knows how the files go
 * together.
 */
async function withMeasurements(files: Files, change: (drawn: DrawnPartition[]) => DrawnPartition[]): Promise<void> {
  const privacy = privacyOf(files);
  const other = change(parseMeasurements(files.get(SYNTHETIC_FILES.measurements)!.toString('utf8')));
  const table = formatTable(privacy, other);
  files.set(SYNTHETIC_FILES.measurements, formatMeasurements(privacy, other));
  files.set(SYNTHETIC_FILES.table, table);
  files.set(SYNTHETIC_FILES.parquet, await formatParquetTable(tmpdir(), privacy, table));
}

const edited = (files: Files, name: string, from: string | RegExp, to: string): void => {
  const text = files.get(name)!.toString('utf8');
  expect(text.replace(from, to)).not.toBe(text);
  files.set(name, Buffer.from(text.replace(from, to), 'utf8'));
};

describe('the audit of synthetic data', () => {
  test.each([
    ['replace-one', {}],
    ['add-remove', { privacy: ADDED }],
  ] as const)('C15: an honest release under %s passes every check', async (_, change) => {
    const staged = await release(TRIPS, change);
    const context = publicContextBelow(root);
    await derive(context, staged.input);
    await audit(context, { ...staged.input, shadow: await shadow(staged.run.context, staged.input) });
    const stored = (name: string) => readBytes(context.releaseStore, RELEASE_KEYS.staged(staged.input, name));
    const report: AuditReport = JSON.parse((await stored(FILES.audit)).toString('utf8'));
    expect(report).toMatchObject({ verdict: 'pass', release: releasePath(staged.input) });
    expect(report.checks.map(({ id }) => id)).toEqual([
      'certificate',
      'one-draw',
      'rounds',
      'queries',
      'weights',
      'formats',
      'metadata',
      'sampler',
      'holes',
    ]);
    const statement = (await stored(FILES.statement)).toString('utf8');
    expect(statement).toContain('one row of the source');
    expect(statement).toContain('Losses add up');
    const table = (await stored(SYNTHETIC_FILES.table)).toString('utf8').trimEnd().split('\r\n');
    expect(table[0]).toBe('date,part,time,place,fare,weight,rows');
    // 20 hours and another one, 2 places and another one, 2 fares and another one, of two parts.
    expect(table).toHaveLength(1 + 2 * 21 * 3 * 3);
    expect(table[1]).toMatch(/^2026-03-02,bus,06:00,Airport,adult,\d+,\d+\.\d{6}$/);
  });

  describe('of planted bugs', () => {
    let honest: Staged;
    let made: Promise<object>;
    const own = () => join(folder, 'honest');
    beforeAll(async () => {
      root = own();
      honest = await release(TRIPS);
      made = shadow(honest.run.context, honest.input);
    });
    beforeEach(() => {
      root = own();
    });

    test.each<[name: string, plant: Plant, checks: string[]]>([
      [
        'a measurement is drawn again with another seed, in all files',
        (files) =>
          withMeasurements(files, ([first, ...others]) => {
            const [one, ...rest] = first!.transcript.measurements;
            const measurements = [{ ...one!, value: one!.value + 3 }, ...rest];
            return [{ ...first!, transcript: { ...first!.transcript, measurements } }, ...others];
          }),
        ['one-draw', 'metadata'],
      ],
      [
        'a round less than is charged, in all files',
        (files) =>
          withMeasurements(files, ([first, ...others]) => {
            const measurements = first!.transcript.measurements.slice(1);
            return [{ ...first!, transcript: { ...first!.transcript, measurements } }, ...others];
          }),
        ['one-draw', 'rounds', 'weights', 'metadata'],
      ],
      [
        'a part is left out, in all files',
        (files) => withMeasurements(files, ([first]) => [first!]),
        ['one-draw', 'rounds', 'weights', 'metadata'],
      ],
      [
        'the rows are counted and not public, in all files',
        (files) =>
          withMeasurements(files, ([first, ...others]) => [
            { ...first!, transcript: { ...first!.transcript, rows: 301 } },
            ...others,
          ]),
        ['one-draw', 'rounds', 'weights', 'metadata'],
      ],
      [
        'weights that do not follow from the measurements, in both formats',
        async (files) => {
          edited(files, SYNTHETIC_FILES.table, /,\d+,\d+\.\d{6}\r\n/, ',7,0.000001\r\n');
          const table = files.get(SYNTHETIC_FILES.table)!;
          files.set(SYNTHETIC_FILES.parquet, await formatParquetTable(tmpdir(), privacyOf(files), table));
        },
        ['weights', 'metadata'],
      ],
      [
        'another draw in the Parquet file',
        async (files) => {
          const other = Buffer.from(
            files
              .get(SYNTHETIC_FILES.table)!
              .toString('utf8')
              .replace(/,\d+,\d+\.\d{6}\r\n/, ',7,0.000001\r\n'),
          );
          files.set(SYNTHETIC_FILES.parquet, await formatParquetTable(tmpdir(), privacyOf(files), other));
        },
        ['formats', 'metadata'],
      ],
      [
        'a certificate of less ε',
        (files) => edited(files, SYNTHETIC_FILES.certificate, '"epsilon":"4"', '"epsilon":"2"'),
        ['certificate', 'metadata'],
      ],
      [
        'parameters of less ε',
        (files) => edited(files, SYNTHETIC_FILES.privacy, '"epsilon":"4"', '"epsilon":"2"'),
        ['certificate', 'metadata'],
      ],
      [
        'a measurement under the name of another query',
        (files) => edited(files, SYNTHETIC_FILES.measurements, /(\r\n2026-03-02,bus,1,\d+,)[^,]+,/, '$1time=all,'),
        ['queries', 'metadata'],
      ],
      [
        'the order tells',
        (files) => withMeasurements(files, (all) => all.toReversed()),
        ['one-draw', 'rounds', 'weights', 'metadata'],
      ],
      ['a file that nobody asked for', (files) => void files.set('notes.txt', Buffer.from('n')), ['metadata']],
      [
        'a file is missing',
        (files) => void files.delete(SYNTHETIC_FILES.parquet),
        ['certificate', 'one-draw', 'rounds', 'queries', 'weights', 'formats', 'metadata'],
      ],
    ])('mutant: %s', async (_, plant, checks) => {
      const report = await audited(honest, plant, made);
      expect(failing(report)).toEqual(checks);
      expect(report.verdict).toBe('fail');
    });
  });

  /** Puts another table in the place of a drawn one, as a worker with a bug would have drawn it. */
  async function redrawn(staged: Staged, change: (table: SyntheticTable) => SyntheticTable): Promise<Staged> {
    const key = RELEASE_KEYS.privatized(staged.input, PARTITIONS[0]!);
    const path = join(root, 'release', key);
    const bytes = jsonBytes(change(JSON.parse(await readFile(path, 'utf8'))));
    await rm(path);
    await publicContextBelow(root).releaseStore.putIfAbsent(key, bytes);
    const draws = staged.input.draws.map((draw) =>
      draw.partition.part === 'bus' ? { ...draw, digest: sha256(bytes) } : draw,
    );
    return { ...staged, input: { ...staged.input, draws } };
  }

  test.each<[string, (table: SyntheticTable) => SyntheticTable]>([
    ['half the noise', (table) => ({ ...table, amounts: { ...table.amounts, measurementScale: '1' } })],
    ['choices of twice the ε', (table) => ({ ...table, amounts: { ...table.amounts, selection: '1/3' } })],
    [
      'a round more',
      (table) => ({ ...table, measurements: [...table.measurements, ...table.measurements.slice(0, 1)] }),
    ],
  ])('mutant: a draw with %s is refused before anything is published', async (_, change) => {
    const staged = await redrawn(await release(TRIPS), change);
    await expect(audited(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('C11: a table that is not the drawn one is refused', async () => {
    const staged = await release(TRIPS);
    await redrawn(staged, (table) => ({ ...table, rows: table.rows + 1 }));
    await expect(derive(publicContextBelow(root), staged.input)).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
  });

  test('a missing object: its part has no cells, and approvers have to acknowledge it', async () => {
    const { 'ferry.csv': _, ...objects } = TRIPS;
    let lines: string[] = [];
    const report = await audited(await release(objects), (files) => {
      lines = files.get(SYNTHETIC_FILES.table)!.toString('utf8').trimEnd().split('\r\n').slice(1);
    });
    expect(report.verdict).toBe('attention');
    expect(report.checks.at(-1)).toMatchObject({ id: 'holes', verdict: 'attention', statistic: 1 });
    expect(lines).toHaveLength(21 * 3 * 3);
    expect(lines.every((line) => line.startsWith('2026-03-02,bus,'))).toBe(true);
  });
});
