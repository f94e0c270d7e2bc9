import type { PrivateContext, ShadowWorld } from '../../activities/private/context.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import { shadowWorld } from '../../activities/private/shadow-world.ts';
import type { Series } from '../../contracts/series.ts';

/** The deployment in which the activity `shadow` draws made-up counts. */
export const madeUpWorld = (context: PrivateContext, series: Series): ShadowWorld =>
  shadowWorld(context, series, { reserve, privatize });
