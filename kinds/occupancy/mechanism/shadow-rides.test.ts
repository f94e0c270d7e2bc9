import { beforeAll, describe, expect, test } from 'vitest';
import { parseRational } from '../../../core/rational/rational.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { certifyRides } from './ride-certificate.ts';
import { type RidePrivacy, type RunMechanism, runMechanisms } from './ride-mechanism.ts';
import { runSampler, treeStatuses } from './run-statuses.ts';
import { noiseProblems, shadowPValue } from './shadow-check.ts';
import { type DrawnBy, type ShadowOfRuns, shadowOfRides } from './shadow-rides.ts';
import type { VehicleModel } from './vehicle-model.ts';
import { VDL } from './vehicle-models.fixture.ts';

const MODELS = new Map<string, VehicleModel>([['vdl', VDL]]);
const SHAPES = [{ vehicle: 'vdl', departures: 10 }];
const HONEST: DrawnBy = { sampler: runSampler, statuses: treeStatuses };

let certificates: Record<RidePrivacy['mechanism'], RideCertificate>;
let mechanisms: Record<RidePrivacy['mechanism'], RunMechanism[]>;
beforeAll(async () => {
  const solve = await loadSolver();
  const made = (mechanism: RidePrivacy['mechanism']) => {
    const privacy: RidePrivacy = {
      mechanism,
      neighbours: 'replace-one',
      counts: 'doors',
      epsilon: parseRational('4'),
      delta: parseRational('0'),
    };
    const runs = runMechanisms(privacy, SHAPES, MODELS, solve);
    return { runs, certificate: certifyRides(privacy, MODELS, runs) };
  };
  const [tree, stops] = [made('tree'), made('each-stop')];
  mechanisms = { tree: tree.runs, 'each-stop': stops.runs };
  certificates = { tree: tree.certificate, 'each-stop': stops.certificate };
});

const shadow = (name: RidePrivacy['mechanism'], drawnBy: DrawnBy = HONEST, seed = 1): ShadowOfRuns[] =>
  shadowOfRides(mechanisms[name], MODELS, seededSource(seed), drawnBy);
const judged = (name: RidePrivacy['mechanism'], drawnBy: DrawnBy = HONEST) => {
  const runs = shadow(name, drawnBy);
  return {
    pValue: shadowPValue(runs, certificates[name].vehicles),
    problems: noiseProblems(runs, certificates[name]).join(' '),
  };
};

describe('C15: the shadow run of rides', () => {
  test.each(['tree', 'each-stop'] as const)(
    '%s: what is certified passes, and asks for nothing but randomness',
    (name) => {
      const { pValue, problems } = judged(name);
      expect(problems).toBe('');
      expect(pValue).toBeGreaterThan(0.01);
      expect(shadow(name)).toEqual(shadow(name));
      expect(shadow(name, HONEST, 2)).not.toEqual(shadow(name));
    },
  );

  test('a tree: the shift that is reported is D1 of a ride, and every sum asks for one noise value', () => {
    const [run] = shadow('tree');
    expect(run!.noise).toMatchObject({ differing: 0 });
    expect(run!.noise!.shift).toBe(certificates.tree.runs[0]!.change);
  });

  test('mutant: noise is drawn again for each count that a sum is part of', () => {
    const redrawn: DrawnBy['statuses'] = (strategy, model, doors, noise) => {
      const sums = strategy.prefixes.flatMap((places) => places.map((place) => strategy.sums[place]!));
      let next = 0;
      const prefixes = strategy.prefixes.map((places) => places.map(() => next++));
      return treeStatuses({ sums, prefixes }, model, doors, noise);
    };
    expect(judged('tree', { ...HONEST, statuses: redrawn }).problems).toContain('are drawn again');
  });

  test('mutant: neighbours forgotten, half the noise that is certified', () => {
    const half: DrawnBy['sampler'] = (mechanism, source) =>
      runSampler(
        mechanism.kind === 'tree'
          ? {
              ...mechanism,
              scale: `${mechanism.scale.split('/')[0]}/${2 * Number(mechanism.scale.split('/')[1] ?? 1)}`,
            }
          : mechanism,
        source,
      );
    expect(judged('tree', { ...HONEST, sampler: half }).pValue).toBeLessThan(1e-6);
  });

  test('mutant: the exact count decides beside the noise', () => {
    const leaky: DrawnBy['statuses'] = (strategy, model, doors, noise) =>
      treeStatuses(strategy, model, doors, noise).map((status, at) => (doors.boardings[at]! > 0 ? 1 : status));
    expect(judged('tree', { ...HONEST, statuses: leaky }).problems).toContain('show in the statuses');
  });

  test('mutant: a status is the likelier of two draws', () => {
    const twice: DrawnBy['sampler'] = (mechanism, source) => {
      const draw = runSampler(mechanism, source);
      return (model, counts) => {
        const [one, other] = [draw(model, counts), draw(model, counts)];
        return one.map((status, at) => Math.min(status, other[at]!));
      };
    };
    for (const name of ['tree', 'each-stop'] as const)
      expect(judged(name, { ...HONEST, sampler: twice }).pValue).toBeLessThan(1e-6);
  });

  test('mutant: a status that has no chance comes out', () => {
    const [run] = shadow('each-stop');
    const impossible = { ...run!, mechanism: { ...run!.mechanism, weights: VDL_ROWS } as RunMechanism };
    expect(shadowPValue([impossible], certificates['each-stop'].vehicles)).toBe(0);
  });
});

/** Rows that give the last category surely. */
const VDL_ROWS = Array.from({ length: 78 }, () => ['0', '0', '0', '0', '0', String(2 ** 40)]);
