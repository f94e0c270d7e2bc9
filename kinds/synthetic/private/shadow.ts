import { addDays } from '../../../core/calendar/civil-day.ts';
import { formatRational, multiply, rational } from '../../../core/rational/rational.ts';
import type { ShadowWorld } from '../../../custodian/private-context.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { SHADOW_DRAWS, SHADOW_SHAPE, shadowCounts } from '../mechanism/shadow-transcripts.ts';
import { reachOf, roundAmounts } from '../mechanism/synthetic-privacy.ts';
import type { Transcript } from '../mechanism/transcript.ts';
import type { SyntheticSeries } from '../series.ts';
import { planOf, syntheticPrivacy } from '../synthesis-plan.ts';
import { syntheticTableSchema } from '../synthetic-table.ts';
import { partitionCells } from './row-counts.ts';

const NAME = 'shadow';
const DAY = '2000-01-01';

/**
 * The series with the small domain of made-up rows, and a window of all draws. Its parts and rounds are its own, and so
 * is ε of a partition: more partitions than the series has may share the ε of a release otherwise.
 */
function makeUpSeries(series: SyntheticSeries): SyntheticSeries {
  const privacy = syntheticPrivacy(series);
  const reach = reachOf(privacy.neighbours, series.parts.length * SHADOW_DRAWS);
  const names = SHADOW_SHAPE.map((_, place) => `a${place}`);
  return {
    ...series,
    privacy: {
      ...series.privacy,
      epsilon: formatRational(multiply(roundAmounts(privacy).partition, rational(reach))),
      // Named: a tenth of another ε would be another share.
      split: privacy.rowsShare === null ? {} : { rows: formatRational(privacy.rowsShare) },
    },
    series: NAME,
    timeZone: 'UTC',
    window: { days: SHADOW_DRAWS, firstWeekday: 'saturday', lagDays: 0 },
    attributes: SHADOW_SHAPE.map((size, place) => ({
      name: names[place]!,
      column: names[place]!,
      values: Array.from({ length: size - 1 }, (_, value) => `${value}`),
      unknown: 'UNKNOWN',
    })),
    workload: [{ cells: names }, { cells: ['a0'] }],
    shape: [...SHADOW_SHAPE],
    passes: 0,
  };
}

/**
 * Sends made-up rows through the activity that draws every partition of every kind, in a deployment that is in memory
 * and that nobody else sees, and reports what it drew. Cost: some hundred draws of six cells, about a second.
 *
 * @contract C15
 */
export async function shadowOfSynthesis(world: ShadowWorld, series: SyntheticSeries): Promise<{ draws: Transcript[] }> {
  const shadow = makeUpSeries(series);
  const part = series.parts[0]!;
  const release = { series: NAME, window: DAY, version: 1, seriesDigest: await world.sign(shadow) };
  await world.charge(release, shadow);
  const counts = shadowCounts(planOf(shadow, part).rows, roundAmounts(syntheticPrivacy(series)));
  const cells = jsonBytes(partitionCells(new Map(counts.entries())));
  const draws: Transcript[] = [];
  for (let day = 0; day < SHADOW_DRAWS; day += 1) {
    const bytes = await world.draw(release, { part, day: addDays(DAY, day) }, cells);
    const { rows, measurements } = syntheticTableSchema.parse(JSON.parse(bytes.toString('utf8')));
    draws.push({ rows, measurements });
  }
  return { draws };
}
