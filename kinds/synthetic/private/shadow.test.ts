import { describe, expect, test } from 'vitest';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { readSeries } from '../../../services/stores/series-objects.ts';
import type { Binned } from '../../../test/support/day-release.ts';
import { madeUpWorld } from '../../../test/support/made-up-world.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { shadowTranscriptsPValue } from '../mechanism/shadow-transcripts.ts';
import { type SyntheticSeries, syntheticSeries } from '../series.ts';
import { ADDED, binSmall, REPLACED, TRIPS } from '../small-synthetic.fixture.ts';
import { certificateOfSynthesis, planOf } from '../synthesis-plan.ts';
import type { SyntheticTable } from '../synthetic-table.ts';
import { privateSynthetic } from './private-kind.ts';
import { shadowOfSynthesis } from './shadow.ts';

type Subject = { run: Binned; series: SyntheticSeries };

async function subjectOf(privacy: string): Promise<Subject> {
  const run = await binSmall(TRIPS, { privacy }, { random: seededSource(11) });
  return { run, series: syntheticSeries(await readSeries(run.context.releaseStore, run.run)) };
}

/** A kind that draws for another series, or changes what is drawn before it is stored. */
const changing = (
  series: (own: SyntheticSeries) => SyntheticSeries,
  change: (table: SyntheticTable) => SyntheticTable = (table) => table,
): PrivateKind['counts'] => {
  return async (context, input, stored) => {
    const honest = await privateSynthetic.counts(context, input, series(syntheticSeries(stored)));
    const draw = async () => jsonBytes(change(JSON.parse((await honest.draw()).toString('utf8'))));
    return { ...honest, draw };
  };
};

async function judged({ run, series }: Subject, counts: PrivateKind['counts']): Promise<number> {
  const kinds = { synthetic: { ...privateSynthetic, counts } };
  const { draws } = await shadowOfSynthesis(madeUpWorld({ ...run.context, kinds }, series), series);
  return shadowTranscriptsPValue(draws, planOf(series, series.parts[0]!).rows, certificateOfSynthesis(series));
}

describe('C15: the shadow run of synthetic data', () => {
  test.each([
    ['replace-one', REPLACED],
    ['add-remove', ADDED],
  ])('%s: made-up rows go the way of real ones, and are drawn as is certified', async (_, privacy) => {
    expect(await judged(await subjectOf(privacy), privateSynthetic.counts)).toBeGreaterThan(1e-4);
  });

  test('of one partition, where all of ε is of that one, it is drawn so, too', async () => {
    const { run, series } = await subjectOf('rows: { bus: 300, ferry: 60 }');
    const one = { ...series, parts: ['bus'], privacy: { ...series.privacy, rows: { bus: 300 } } };
    expect(certificateOfSynthesis(one).partition).toEqual({ epsilon: '4' });
    expect(await judged({ run, series: one }, privateSynthetic.counts)).toBeGreaterThan(1e-4);
  });

  test('broken twins: more ε, choices by chance alone, and noise that is taken away are caught', async () => {
    const subject = await subjectOf(ADDED);
    const dearer = changing((own) => ({ ...own, privacy: { ...own.privacy, epsilon: '8' } }));
    expect(await judged(subject, dearer)).toBeLessThan(1e-6);
    const blind = changing(
      (own) => own,
      (table) => ({
        ...table,
        measurements: table.measurements.map((one, place) => ({ ...one, query: (place * 5) % 9 })),
      }),
    );
    expect(await judged(subject, blind)).toBeLessThan(1e-6);
    const exactRows = changing(
      (own) => own,
      (table) => ({ ...table, rows: 1300 }),
    );
    expect(await judged(subject, exactRows)).toBeLessThan(1e-6);
    const fewer = changing((own) => ({ ...own, rounds: own.rounds - 1 }));
    expect(await judged(subject, fewer)).toBe(0);
  });
});
