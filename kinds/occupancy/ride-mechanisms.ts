import { OpalineError } from '../../contracts/errors.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { perStopGuarantee } from './mechanism/per-stop.ts';
import { isProfileEpsilon } from './mechanism/profile.ts';
import { certifyRides } from './mechanism/ride-certificate.ts';
import { type RideMechanismName, runGuarantee, treeMechanisms } from './mechanism/ride-mechanism.ts';
import { type OccupancySeries, ridePrivacy, vehicleModels } from './series.ts';

type MechanismFacts = {
  /** Does it take what the doors count, and nothing else? */
  takesDoors: boolean;
  /** May δ be more than 0? */
  hasDelta: boolean;
  /** How a status is made, in a sentence. */
  inWords: string;
  /** What readers have to know of its statuses. */
  reading: readonly string[];
  /** Throws CERTIFICATE_IMPOSSIBLE for a series whose noise nobody can draw; made before anything is charged. */
  requireDrawable(series: OccupancySeries): void;
};

/** All that series files, pages and the ledger's guard say of each mechanism; mechanism/ says how it draws. */
export const RIDE_MECHANISMS: Readonly<Record<RideMechanismName, MechanismFacts>> = {
  'each-stop': {
    takesDoors: false,
    hasDelta: true,
    inWords:
      'Each status is drawn from a profile of its vehicle, with an ε that composes over the departures of the run.',
    reading: [
      'Each status was drawn by itself: certificate.json has, for each vehicle and length of a run, the chance of each status for each number of passengers (weight/2^40).',
      'So a status that differs from those before and after it may be chance.',
    ],
    requireDrawable: (series) => {
      const run = runGuarantee(ridePrivacy(series));
      for (const departures of new Set(series.shapes.map((shape) => shape.departures)))
        if (!isProfileEpsilon(perStopGuarantee(departures, run).epsilon))
          throw new OpalineError(
            'CERTIFICATE_IMPOSSIBLE',
            `No profile can be made for a run of ${departures} departures.`,
          );
    },
  },
  tree: {
    takesDoors: true,
    hasDelta: false,
    inWords:
      'Sums of boardings minus alightings get noise, each once, and a status is the category of the noisy count.',
    reading: [
      'The passengers aboard are the sum of boardings minus alightings; sums of these over parts of a run have discrete Laplace noise of the scale in certificate.json, and the status is the category of the noisy number.',
      'Statuses of one run share noise: where one is too full, its neighbours are too.',
    ],
    requireDrawable: (series) => {
      const privacy = ridePrivacy(series);
      certifyRides(privacy, vehicleModels(series), treeMechanisms(privacy, series.shapes));
    },
  },
};

/**
 * Refuses, before anything is charged, a series whose noise nobody can draw, whoever stored it. Throws
 * CERTIFICATE_IMPOSSIBLE.
 *
 * @contract C10
 */
export const requireDrawable = oncePer((series: OccupancySeries): void =>
  RIDE_MECHANISMS[series.privacy.mechanism].requireDrawable(series),
);
