import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import type { Series } from '../../contracts/series.ts';
import type { PrivateContext, ShadowWorld } from '../../custodian/private-context.ts';
import { shadowWorld } from '../../custodian/shadow-world.ts';

/** The deployment in which the activity `shadow` draws made-up counts. */
export const madeUpWorld = (context: PrivateContext, series: Series): ShadowWorld =>
  shadowWorld(context, series, { reserve, privatize });
