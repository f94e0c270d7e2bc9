import type { OpalineClient } from '../client/opaline-client.ts';
import { type Briefing, releaseBriefing } from '../client/release/release-briefing.ts';
import type { Retractable } from '../client/release/retractions.ts';
import { placeOfSource } from '../client/series/place-zone.ts';
import { on } from '../client/workflow-calls.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { paragraphs } from '../core/text/paragraphs.ts';
import { briefingText } from './briefing-text.ts';
import { checkLine } from './check-line.ts';
import { nextStep, releaseText } from './release-text.ts';
import { retractionText } from './retraction-text.ts';

/** A release for people: its state, what they need to decide on it, and the next command. */
export async function releasePage(client: OpalineClient, status: ReleaseStatus & Partial<Retractable<ReleaseStatus>>) {
  const { timeZone, store } = await placeOfSource(client, status);
  const briefing = await briefingOrReason(client, status);
  const isRead = typeof briefing !== 'string';
  const text = paragraphs(
    releaseText(status, timeZone, store),
    isRead ? briefingText(briefing, status, timeZone) : briefing,
    retractionText({ retraction: null, ...status }),
    nextStep(status) ?? (await checkLine(status)),
  );
  return { briefing: isRead ? briefing : null, text };
}

/** What cannot be believed is reported, and hides nothing else of the release. */
const briefingOrReason = (client: OpalineClient, status: ReleaseStatus): Promise<Briefing | string> =>
  releaseBriefing(client, status).catch(on(OpalineError, ({ code, message }) => `${code}: ${message}`));
