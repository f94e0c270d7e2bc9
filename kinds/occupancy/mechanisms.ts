import { canonicalJson } from '../../core/json/canonical.ts';
import { loadSolver } from '../../services/linear-solver.ts';
import type { RunShape } from './mechanism/ride-mechanism.ts';
import { type RunMechanism, runMechanisms } from './mechanism/ride-mechanism.ts';
import { countedNumbers, type OccupancyFile, ridePrivacy, vehicleModels } from './series.ts';

type Parameters = Pick<OccupancyFile, 'privacy' | 'source' | 'vehicles'> & { shapes: readonly RunShape[] };

/** Parameters whose mechanisms are kept: a worker meets few series at a time. */
const KEPT = 16;
const known = new Map<string, Promise<RunMechanism[]>>();

/**
 * What each shape of a series is drawn with; computed once for parameters that are kept. Throws CERTIFICATE_IMPOSSIBLE.
 * Cost: for `each-stop` up to seconds, as most of a day's runs have few lengths.
 */
export function mechanismsOf(series: Parameters): Promise<RunMechanism[]> {
  const { privacy, vehicles, shapes } = series;
  const name = canonicalJson({ privacy, numbers: countedNumbers(series), vehicles, shapes });
  const before = known.get(name);
  if (before) return before;
  const mechanisms = compute(series);
  if (known.size >= KEPT) known.delete(known.keys().next().value!);
  known.set(name, mechanisms);
  mechanisms.catch(() => known.delete(name));
  return mechanisms;
}

const compute = async (series: Parameters): Promise<RunMechanism[]> =>
  runMechanisms(ridePrivacy(series), series.shapes, vehicleModels(series), await loadSolver());
