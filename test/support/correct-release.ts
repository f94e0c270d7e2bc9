import { planCorrection, startCorrection } from '../../client/release/correct-release.ts';
import type { ReleaseReference } from '../../contracts/names.ts';

/** Plans a correction and starts it at once. */
export const correctRelease = async (...wanted: Parameters<typeof planCorrection>): Promise<ReleaseReference> =>
  startCorrection(wanted[0], await planCorrection(...wanted));
