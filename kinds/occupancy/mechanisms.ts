import { loadSolver } from '../../activities/linear-solver.ts';
import type { RunShape } from '../../core/occupancy/ride-mechanism.ts';
import { type RunMechanism, runMechanisms } from '../../core/occupancy/ride-mechanism.ts';
import { type OccupancyFile, ridePrivacy, vehicleModels } from './series.ts';

type Parameters = Pick<OccupancyFile, 'privacy' | 'vehicles'> & { shapes: readonly RunShape[] };

const known = new WeakMap<object, Promise<RunMechanism[]>>();

/**
 * What each shape of a series is drawn with; computed once for a series that is kept. Throws CERTIFICATE_IMPOSSIBLE.
 * Cost: for `each-stop` up to seconds, as most of a day's runs have few lengths.
 */
export function mechanismsOf(series: Parameters): Promise<RunMechanism[]> {
  const mechanisms = known.get(series) ?? compute(series);
  known.set(series, mechanisms);
  mechanisms.catch(() => known.delete(series));
  return mechanisms;
}

const compute = async (series: Parameters): Promise<RunMechanism[]> =>
  runMechanisms(ridePrivacy(series), series.shapes, vehicleModels(series), await loadSolver());
