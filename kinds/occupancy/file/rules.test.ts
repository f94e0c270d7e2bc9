import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSeriesFile } from '../../../client/series/series-file.ts';
import { SeriesFileError } from '../../../contracts/series-issue.ts';
import { expandToScope } from '../../../core/calendar/draw-scope.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { occupancyForClients } from '../client/client-kind.ts';
import { certifyRides } from '../mechanism/ride-certificate.ts';
import { rideProblems } from '../mechanism/ride-check.ts';
import { mechanismsOf } from '../run-mechanisms.ts';
import { occupancySeries, ridePrivacy, vehicleModels } from '../series.ts';
import {
  ABOARD,
  DOORS,
  type SmallChange,
  STOPS_PRIVACY,
  TIMETABLE,
  writeSmallSeries,
} from '../small-occupancy.fixture.ts';
import { rideInWords } from '../words.ts';

const root = newFolder();

async function mistakes(change: SmallChange, timetable = TIMETABLE): Promise<string[]> {
  try {
    await loadSeriesFile(await writeSmallSeries(root, change, timetable));
    return [];
  } catch (error) {
    if (!(error instanceof SeriesFileError)) throw error;
    return error.issues.map(({ field, sentence }) => `${field}: ${sentence}`);
  }
}

describe('a series file of occupancy', () => {
  test('is stored with the digest of its timetable, the shapes of its runs and exact amounts', async () => {
    const { series, dictionaries } = await loadSeriesFile(
      await writeSmallSeries(root, { columns: ABOARD, privacy: STOPS_PRIVACY }),
    );
    expect(series).toMatchObject({
      kind: 'occupancy',
      timetable: dictionaries[0]!.digest,
      shapes: [
        { vehicle: 'bus', departures: 1 },
        { vehicle: 'bus', departures: 2 },
        { vehicle: 'mini', departures: 3 },
      ],
      privacy: { unit: 'ride', epsilon: '6', delta: '1/10000', neighbours: 'add-remove' },
    });
    expect(occupancyForClients.protection(series, []).certificate).toEqual({ epsilon: '6', delta: '1/10000' });
    expect(occupancyForClients.protection(series, []).inWords.join(' ')).toContain('one passenger on one run');
    expect(occupancyForClients.protection(series, []).yearInWords(52).join(' ')).toContain(
      'no total for a person is stated',
    );
  });

  test('door counts and passengers aboard are drawn and charged apart where a ride is replaced', async () => {
    const privacy = 'mechanism: each-stop, neighbours: replace-one, epsilon: 6, delta: 1e-4';
    const certificates = [];
    for (const columns of [DOORS, ABOARD]) {
      const loaded = await loadSeriesFile(await writeSmallSeries(root, { privacy, columns }));
      const series = occupancySeries(loaded.series);
      const certificate = certifyRides(ridePrivacy(series), vehicleModels(series), await mechanismsOf(series));
      expect(rideProblems(certificate)).toEqual([]);
      expect(rideInWords(ridePrivacy(series), series.shapes)[1]).toContain(
        `δ = ${certificate.run.delta} with a ride more or less`,
      );
      expect(occupancyForClients.cost(loaded.series, 'replace-one')).toEqual({
        epsilon: '6',
        delta: '1/10000',
        rho: null,
      });
      certificates.push(certificate);
    }
    // 1 + e^3 = 21.08553…
    expect(certificates.map(({ counts, run }) => [counts, run.delta])).toEqual([
      ['doors', '1/210860'],
      ['passengers', '1/20000'],
    ]);
    expect(certificates[0]!.runs).not.toEqual(certificates[1]!.runs);
  });

  test('parts and partitions: each stands alone', async () => {
    const { series } = await loadSeriesFile(await writeSmallSeries(root));
    const partitions = [{ part: 'south', day: '2026-03-02' }];
    const terms = occupancyForClients.terms(series);
    expect(terms).toMatchObject({ parts: ['north', 'south'], overlaps: false });
    expect(expandToScope(terms, ['2026-03-02', '2026-03-03'], partitions)).toEqual(partitions);
  });

  test.each<[change: SmallChange, sentence: RegExp]>([
    [{ columns: 'passengers: a, boardings: b, alightings: c' }, /either passengers, or/],
    [{ columns: 'boardings: b' }, /either passengers, or/],
    [{ columns: ABOARD }, /A tree takes boardings and alightings/],
    [{ source: '  csv: { header: [trip, stop, due, kind, on] }' }, /header has no such column/],
    [{ source: '  completeness: { marker: "done", waitHours: 1 }' }, /names one object of a day/],
    [{ privacy: 'mechanism: tree, epsilon: 2, delta: 1e-5' }, /A tree has δ = 0/],
    [{ privacy: 'mechanism: tree, epsilon: 10, delta: 0' }, /cap is below/],
    [{ privacy: 'mechanism: tree, epsilon: 0, delta: 0' }, /epsilon must be above 0/],
    [{ privacy: 'mechanism: tree, epsilon: 1e-7, delta: 0' }, /cannot be drawn/],
    [{ privacy: 'mechanism: each-stop, epsilon: 1e-4, delta: 0' }, /ε from 1\/1000/],
    [{ vehicles: '{ mini: { minimumCounts: { EMPTY: 0 }, maximumCount: 5 } }' }, /two or more statuses/],
    [{ vehicles: '{ mini: { minimumCounts: { EMPTY: 1, FULL: 2 }, maximumCount: 5 } }' }, /begin at 0/],
    [{ vehicles: '{ mini: { minimumCounts: { EMPTY: 0, FULL: 0 }, maximumCount: 5 } }' }, /same count/],
    [{ vehicles: '{ mini: { minimumCounts: { EMPTY: 0, FULL: 9 }, maximumCount: 5 } }' }, /at least the count/],
    [{ vehicles: '{ mini: { minimumCounts: { EMPTY: 0, FULL: 4 }, maximumCount: 5 } }' }, /runs of the vehicle bus/],
    [
      { vehicles: '{ mini: { minimumCounts: { EMPTY: 0, NO_DATA_AVAILABLE: 4 }, maximumCount: 5 } }' },
      /no such field|must be/,
    ],
    [{ more: 'unknown: 1\n' }, /no such field/],
  ])('%j is told', async (change, sentence) => {
    expect((await mistakes(change)).join('\n')).toMatch(sentence);
  });

  test('mistakes of the timetable are told with its lines, and parts that the series lacks', async () => {
    const wrong = await mistakes({}, `${TIMETABLE}west,w1,1,A,8:00,mini,daily\n`);
    expect(wrong).toEqual(['parts: The timetable has runs of the part west; add it, or take them out.']);
    expect((await mistakes({}, `${TIMETABLE}north,n9,1,A,never,mini,daily\n`)).join()).toContain('Write a departure');
    const file = await writeSmallSeries(root);
    await rm(join(root, 'timetable.csv'));
    await expect(loadSeriesFile(file)).rejects.toThrow('cannot be read');
  });
});
