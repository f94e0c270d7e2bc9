import { OpalineError } from '../../contracts/errors.ts';
import { perStopGuarantee } from '../../core/occupancy/per-stop.ts';
import { isProfileEpsilon } from '../../core/occupancy/profile.ts';
import { certifyRides } from '../../core/occupancy/ride-certificate.ts';
import { runGuarantee, treeMechanisms } from '../../core/occupancy/ride-mechanism.ts';
import { type OccupancySeries, ridePrivacy, vehicleModels } from './series.ts';

const drawable = new WeakSet<OccupancySeries>();

/**
 * Refuses, before anything is charged, a series whose noise nobody can draw, whoever stored it: a tree without a
 * certificate, or stops with an ε that no profile is made for. Throws CERTIFICATE_IMPOSSIBLE.
 *
 * @contract C10
 */
export function requireDrawable(series: OccupancySeries): void {
  if (drawable.has(series)) return;
  const privacy = ridePrivacy(series);
  if (privacy.mechanism === 'tree') {
    certifyRides(privacy, vehicleModels(series), treeMechanisms(privacy, series.shapes));
  } else {
    const lengths = new Set(series.shapes.map(({ departures }) => departures));
    for (const departures of lengths)
      if (!isProfileEpsilon(perStopGuarantee(departures, runGuarantee(privacy)).epsilon))
        throw new OpalineError(
          'CERTIFICATE_IMPOSSIBLE',
          `No profile can be made for a run of ${departures} departures.`,
        );
  }
  drawable.add(series);
}
