import type { PrivateActivities } from '../../contracts/stages.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { abandon } from './abandon.ts';
import { bin } from './bin.ts';
import { changedObjects } from './changed-objects.ts';
import { commit } from './commit.ts';
import { ingest } from './ingest.ts';
import { missingObjects } from './missing-objects.ts';
import { privatize } from './privatize.ts';
import { reingest } from './reingest.ts';
import { reserve } from './reserve.ts';
import { shadow } from './shadow.ts';
import { withhold } from './withhold.ts';

/** The registry of the private worker. */
export const createPrivateActivities = (context: PrivateContext): PrivateActivities => ({
  missingObjects: (input) => missingObjects(context, input),
  changedObjects: (input) => changedObjects(context, input),
  ingest: (input) => ingest(context, input),
  reingest: (input) => reingest(context, input),
  reserve: (input) => reserve(context, input),
  bin: (input) => bin(context, input),
  privatize: (input) => privatize(context, input),
  abandon: (input) => abandon(context, input),
  shadow: (input) => shadow(context, input),
  commit: (input) => commit(context, input),
  withhold: (input) => withhold(context, input),
});
