import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { derive } from '../../../activities/public/derive.ts';
import { FILES, releasePath } from '../../../contracts/names.ts';
import { writeForms } from '../../../services/publication/table-parquet.ts';
import {
  auditedDay,
  type DayFiles,
  type DrawnDay,
  failedChecks,
  redrawn,
  stagedDay,
  talliesOf,
} from '../../../test/support/day-release.ts';
import { parquetOfCsv } from '../../../test/support/table-forms.ts';
import { syntheticPrivacySchema } from '../privacy-file.ts';
import { ADDED, drawSmall, TRIPS } from '../small-synthetic.fixture.ts';
import type { SyntheticTable } from '../synthetic-table.ts';
import {
  type DrawnPartition,
  MEASUREMENTS,
  measurementColumns,
  parseMeasurements,
  weightColumns,
  weightsTable,
} from '../tables.ts';

type Plant = (files: DayFiles) => unknown;

const privacyOf = (files: DayFiles) =>
  syntheticPrivacySchema.parse(JSON.parse(files.get('privacy.json')!.toString('utf8')));

/**
 * Writes all files that hold measurements again, as somebody would who changes them and knows how the files fit
 * together.
 */
async function withMeasurements(files: DayFiles, change: (drawn: DrawnPartition[]) => DrawnPartition[]): Promise<void> {
  const privacy = privacyOf(files);
  const other = change(parseMeasurements(files.get('measurements.csv')!.toString('utf8')));
  const forms = [
    ...(await writeForms(tmpdir(), MEASUREMENTS, measurementColumns(privacy, other))),
    ...(await writeForms(tmpdir(), weightsTable(privacy.domain), weightColumns(privacy, other))),
  ];
  for (const [name, bytes] of forms) files.set(name, bytes);
}

const edited = (files: DayFiles, name: string, from: string | RegExp, to: string): void => {
  const text = files.get(name)!.toString('utf8');
  expect(text.replace(from, to)).not.toBe(text);
  files.set(name, Buffer.from(text.replace(from, to), 'utf8'));
};

describe('the audit of synthetic data', () => {
  test.each([
    ['replace-one', {}],
    ['add-remove', { privacy: ADDED }],
  ] as const)('C15: an honest release under %s passes every check', async (_, change) => {
    const staged = await drawSmall(TRIPS, change);
    const { report, text } = await stagedDay(staged);
    expect(report).toMatchObject({ verdict: 'pass', release: releasePath(staged.input) });
    expect(report.checks.map(({ id }) => id)).toEqual([
      'certificate',
      'one-draw',
      'rounds',
      'queries',
      'weights',
      'formats',
      'sampler',
      'holes',
    ]);
    const statement = await text(FILES.statement);
    expect(statement).toContain('one row of the source');
    expect(statement).toContain('Losses add up');
    const table = (await text('synthetic.csv')).trimEnd().split('\r\n');
    expect(table[0]).toBe('date,part,time,place,fare,weight,rows');
    // 20 hours and another one, 2 places and another one, 2 fares and another one, of two parts.
    expect(table).toHaveLength(1 + 2 * 21 * 3 * 3);
    expect(table[1]).toMatch(/^2026-03-02,bus,06:00,Airport,adult,\d+,\d+\.\d{6}$/);
  });

  describe('of planted bugs', () => {
    let honest: DrawnDay;
    let made: Promise<object>;
    beforeAll(async () => {
      honest = await drawSmall(TRIPS);
      made = talliesOf(honest.context, honest.input);
    });

    test.each<[name: string, plant: Plant, checks: string[]]>([
      [
        'a measurement is drawn again with another seed, in all files',
        (files) =>
          withMeasurements(files, ([first, ...others]) => {
            const [one, ...rest] = first!.measurements;
            const measurements = [{ ...one!, value: one!.value + 3 }, ...rest];
            return [{ ...first!, measurements }, ...others];
          }),
        ['one-draw'],
      ],
      [
        'a round less than is charged, in all files',
        (files) =>
          withMeasurements(files, ([first, ...others]) => {
            const measurements = first!.measurements.slice(1);
            return [{ ...first!, measurements }, ...others];
          }),
        ['one-draw', 'rounds', 'weights'],
      ],
      [
        'a part is left out, in all files',
        (files) => withMeasurements(files, ([first]) => [first!]),
        ['one-draw', 'rounds', 'weights'],
      ],
      [
        'the rows are counted and not public, in all files',
        (files) => withMeasurements(files, ([first, ...others]) => [{ ...first!, rows: 301 }, ...others]),
        ['one-draw', 'rounds', 'weights'],
      ],
      [
        'weights that do not follow from the measurements, in both formats',
        async (files) => {
          edited(files, 'synthetic.csv', /,\d+,\d+\.\d{6}\r\n/, ',7,0.000001\r\n');
          const table = files.get('synthetic.csv')!;
          files.set('synthetic.parquet', await parquetOfCsv(tmpdir(), weightsTable(privacyOf(files).domain), table));
        },
        ['one-draw', 'weights'],
      ],
      [
        'another draw in the Parquet file',
        async (files) => {
          const other = Buffer.from(
            files
              .get('synthetic.csv')!
              .toString('utf8')
              .replace(/,\d+,\d+\.\d{6}\r\n/, ',7,0.000001\r\n'),
          );
          files.set('synthetic.parquet', await parquetOfCsv(tmpdir(), weightsTable(privacyOf(files).domain), other));
        },
        ['formats'],
      ],
      [
        'a certificate of less ε',
        (files) => edited(files, 'certificate.json', '"epsilon":"4"', '"epsilon":"2"'),
        ['certificate', 'one-draw'],
      ],
      [
        'parameters of less ε',
        (files) => edited(files, 'privacy.json', '"epsilon":"4"', '"epsilon":"2"'),
        ['certificate', 'one-draw'],
      ],
      [
        'a measurement under the name of another query',
        (files) => edited(files, 'measurements.csv', /(\r\n2026-03-02,bus,1,\d+,)[^,]+,/, '$1time=all,'),
        ['queries', 'formats'],
      ],
      [
        'the order tells',
        (files) => withMeasurements(files, (all) => all.toReversed()),
        ['one-draw', 'rounds', 'weights'],
      ],
      [
        'measurements with another value in one format',
        async (files) => {
          const text = files.get('measurements.csv')!.toString('utf8');
          const other = Buffer.from(text.replace(/(?<=bus,1,.*,)-?\d+\r\n/, '7\r\n'), 'utf8');
          const parquet = await parquetOfCsv(tmpdir(), MEASUREMENTS, other);
          files.set('measurements.parquet', parquet);
        },
        ['formats'],
      ],
      [
        'a file is missing',
        (files) => void files.delete('synthetic.parquet'),
        ['certificate', 'one-draw', 'rounds', 'queries', 'weights', 'formats'],
      ],
    ])('mutant: %s', async (_, plant, checks) => {
      const report = await auditedDay(honest, plant, made);
      expect(failedChecks(report)).toEqual(checks);
      expect(report.verdict).toBe('fail');
    });
  });

  test.each<[string, (table: SyntheticTable) => SyntheticTable]>([
    ['half the noise', (table) => ({ ...table, amounts: { ...table.amounts, measurementScale: '1' } })],
    ['choices of twice the ε', (table) => ({ ...table, amounts: { ...table.amounts, selection: '1/3' } })],
    [
      'a round more',
      (table) => ({ ...table, measurements: [...table.measurements, ...table.measurements.slice(0, 1)] }),
    ],
  ])('mutant: a draw with %s is refused before anything is published', async (_, change) => {
    const staged = await redrawn(await drawSmall(TRIPS), change);
    await expect(auditedDay(staged)).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });

  test('C11: a table that is not the drawn one is refused', async () => {
    const staged = await drawSmall(TRIPS);
    await redrawn(staged, (table: SyntheticTable) => ({ ...table, rows: table.rows + 1 }));
    await expect(derive(staged.release.contexts().public, staged.input)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
    });
  });

  test('a missing object: its part has no cells, and approvers have to acknowledge it', async () => {
    const { 'ferry.csv': _, ...objects } = TRIPS;
    let lines: string[] = [];
    const report = await auditedDay(await drawSmall(objects), (files) => {
      lines = files.get('synthetic.csv')!.toString('utf8').trimEnd().split('\r\n').slice(1);
    });
    expect(report.verdict).toBe('attention');
    expect(report.checks.at(-1)).toMatchObject({ id: 'holes', verdict: 'attention', statistic: 1 });
    expect(lines).toHaveLength(21 * 3 * 3);
    expect(lines.every((line) => line.startsWith('2026-03-02,bus,'))).toBe(true);
  });
});
