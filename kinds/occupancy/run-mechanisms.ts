import { canonicalJson } from '../../core/json/canonical.ts';
import { makeCache } from '../../core/memory/function-cache.ts';
import { loadSolver } from '../../services/linear-solver.ts';
import type { RunShape } from './mechanism/ride-mechanism.ts';
import { type RunMechanism, runMechanisms } from './mechanism/ride-mechanism.ts';
import { countNumbers, type OccupancyFile, ridePrivacy, vehicleModels } from './series.ts';

type Parameters = Pick<OccupancyFile, 'privacy' | 'source' | 'vehicles'> & { shapes: readonly RunShape[] };

/** Parameters whose mechanisms are kept: a worker meets few series at a time. */
const KEPT = 16;
const cache = makeCache<Promise<RunMechanism[]>>(KEPT);

/**
 * What each shape of a series is drawn with; computed once for parameters that are kept. Throws CERTIFICATE_IMPOSSIBLE.
 * Cost: for `each-stop` up to seconds, as most of a day's runs have few lengths.
 */
export function mechanismsOf(series: Parameters): Promise<RunMechanism[]> {
  const { privacy, vehicles, shapes } = series;
  const name = canonicalJson({ privacy, numbers: countNumbers(series), vehicles, shapes });
  return cache(name, async () => runMechanisms(ridePrivacy(series), shapes, vehicleModels(series), await loadSolver()));
}
