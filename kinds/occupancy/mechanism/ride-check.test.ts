import { beforeAll, describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { certifyRides } from './ride-certificate.ts';
import { rideProblems } from './ride-check.ts';
import { type RidePrivacy, type RunMechanism, runMechanisms } from './ride-mechanism.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { VDL } from './vehicle-models.fixture.ts';

const MODELS = new Map<string, VehicleModel>([['vdl', VDL]]);
const SHAPES = [3, 20].map((departures) => ({ vehicle: 'vdl', departures }));
const privacyOf = (mechanism: RidePrivacy['mechanism'], delta: string): RidePrivacy => ({
  mechanism,
  neighbours: 'replace-one',
  counts: 'doors',
  epsilon: parseRational('4'),
  delta: parseRational(delta),
});
const TREE = privacyOf('tree', '0');
const STOPS = privacyOf('each-stop', '1e-5');

let trees: RunMechanism[];
let profiles: RunMechanism[];
let tree: RideCertificate;
let stops: RideCertificate;
beforeAll(async () => {
  const solve = await loadSolver();
  [trees, profiles] = [runMechanisms(TREE, SHAPES, MODELS, solve), runMechanisms(STOPS, SHAPES, MODELS, solve)];
  [tree, stops] = [certifyRides(TREE, MODELS, trees), certifyRides(STOPS, MODELS, profiles)];
}, 240_000);

describe('C10: the certificate of rides', () => {
  test('names what is lost by a ride, over a run and over the release', () => {
    expect(tree).toMatchObject({
      unit: 'ride',
      counts: 'doors',
      epsilon: '4',
      delta: '0',
      run: { epsilon: '2', delta: '0' },
    });
    expect(tree.runs.map((one) => one.change)).toEqual([2, 2]);
    // 1 + e^2 = 8.38905…
    expect(stops).toMatchObject({ epsilon: '4', delta: '1/100000', run: { epsilon: '2', delta: '1/839000' } });
    expect(stops.assumptions.join(' ')).toContain('Losses add up');
    for (const certificate of [tree, stops]) expect(rideProblems(certificate)).toEqual([]);
  });

  test('goes with any scale that is larger than it has to be', () => {
    const wide = trees.map((one) => (one.kind === 'tree' ? { ...one, scale: '10' } : one));
    expect(rideProblems(certifyRides(TREE, MODELS, wide))).toEqual([]);
  });

  const changed =
    (base: () => RideCertificate, change: (runs: RideCertificate['runs']) => RideCertificate['runs']) => () => ({
      ...base(),
      runs: change(structuredClone(base().runs)),
    });
  const each = (
    base: () => RideCertificate,
    change: (one: RideCertificate['runs'][number]) => object,
  ): (() => RideCertificate) => changed(base, (runs) => runs.map((one) => ({ ...one, ...change(one) }) as typeof one));

  /** Moves `parts` times the stop's δ from the first category of an empty vehicle to the last one, which has none. */
  const moved =
    (parts: number) =>
    (one: RideCertificate['runs'][number]): object => {
      if (one.kind !== 'each-stop') return {};
      const weight = BigInt(Math.round(parts * toNumber(parseRational(one.delta)) * 2 ** 40));
      const row = one.weights[0]!.map(BigInt);
      const changed = row.map(
        (value, place) => value + (place === 0 ? -weight : place === row.length - 1 ? weight : 0n),
      );
      return { weights: [changed.map(String), ...one.weights.slice(1)] };
    };

  test.each<[name: string, broken: () => RideCertificate, sentence: RegExp]>([
    ['neighbours forgotten', () => ({ ...tree, run: { ...tree.run, epsilon: '4' } }), /left of what is promised/],
    [
      'door counts, with half of δ for a run',
      () => ({ ...stops, run: { ...stops.run, delta: '1/200000' } }),
      /left of/,
    ],
    ['door counts, with 1/1000 too much δ', () => ({ ...stops, run: { ...stops.run, delta: '1/838000' } }), /left of/],
    ['a tree of passengers aboard', () => ({ ...tree, counts: 'passengers' }), /takes boardings and alightings/],
    [
      'half the noise',
      each(
        () => tree,
        () => ({ scale: '1/2' }),
      ),
      /noise is too small/,
    ],
    [
      'noise that nobody can draw',
      each(
        () => tree,
        () => ({ scale: '1/100000' }),
      ),
      /cannot be drawn/,
    ],
    [
      'another D1',
      each(
        () => tree,
        () => ({ change: 1 }),
      ),
      /D1 is another/,
    ],
    [
      'a vehicle that is not there',
      each(
        () => tree,
        () => ({ vehicle: 'tram' }),
      ),
      /another mechanism or vehicle/,
    ],
    ['mechanisms mixed', () => ({ ...tree, mechanism: 'each-stop' }), /another mechanism or vehicle/],
    [
      'weights that are no law',
      each(
        () => stops,
        () => ({ weights: [['1']] }),
      ),
      /no probabilities/,
    ],
    ['weight from nowhere', each(() => stops, moved(-1)), /no probabilities/],
    ['1 % more δ in the weights', each(() => stops, moved(1.01)), /more delta/],
    [
      'a stop with more ε',
      each(
        () => stops,
        () => ({ epsilon: '2' }),
      ),
      /stops together lose more/,
    ],
    [
      'a stop with all of the δ of a run',
      each(
        () => stops,
        () => ({ delta: stops.run.delta }),
      ),
      /3 departures: the stops together lose more/,
    ],
  ])('broken twin: %s', (_, broken, sentence) => {
    expect(rideProblems(broken()).join(' ')).toMatch(sentence);
  });

  test('holds with half of δ for a run that counts passengers aboard', () => {
    const aboard = { ...stops, counts: 'passengers', run: { ...stops.run, delta: '1/200000' } } as const;
    expect(rideProblems(aboard)).toEqual([]);
    expect(rideProblems({ ...aboard, run: { ...aboard.run, delta: '1/199999' } })).not.toEqual([]);
  });

  test('is refused for mechanisms that do not keep it', () => {
    const refusal = (mechanisms: RunMechanism[]) => () => certifyRides(TREE, MODELS, mechanisms);
    const weak = trees.map((one) => (one.kind === 'tree' ? { ...one, scale: '1/2' } : one));
    expect(refusal(weak)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }));
    expect(refusal(profiles)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }));
  });
});
