import type { PublicActivities } from '../../contracts/stages.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { approvers } from './approvers.ts';
import { audit } from './audit.ts';
import { carry } from './carry.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { noticeChannels, notify } from './notify.ts';
import { openGate } from './open-gate.ts';
import { plan } from './plan.ts';
import { planRetraction } from './plan-retraction.ts';
import { publish } from './publish.ts';
import { reaudit } from './reaudit.ts';
import { retract } from './retract.ts';
import { scheduledWindow } from './scheduled-window.ts';
import { updatePages } from './update-pages.ts';

/** The registry of the public worker. */
export const createPublicActivities = (context: PublicContext): PublicActivities => ({
  scheduledWindow: (input) => scheduledWindow(context, input),
  plan: (input) => plan(context, input),
  carry: async (input) => void (await carry(context, input)),
  derive: (input) => derive(context, input),
  audit: (input) => audit(context, input),
  reaudit: (input) => reaudit(context, input),
  approvers: (input) => approvers(context, input),
  openGate: (input) => openGate(context, input),
  decide: (input) => decide(context, input),
  publish: (input) => publish(context, input),
  planRetraction: (input) => planRetraction(context, input),
  retract: (input) => retract(context, input),
  noticeChannels: (input) => noticeChannels(context, input),
  notify: (input) => notify(context, input),
  updatePages: (input) => updatePages(context, input),
});
