import { z } from 'zod';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { OpenedGate, OpenGateInput } from '../../contracts/stages.ts';
import { listDecisions } from '../../services/decisions/kept-decisions.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { jsonBytes, jsonOrNull, putOnce } from '../../services/stores/json-objects.ts';
import { gateOf } from './decide.ts';

const GATE_FORMAT = 'opaline-gate/1';
const gateSchema = z.strictObject({ format: z.literal(GATE_FORMAT), openedAt: z.iso.datetime() });

/**
 * Opens the gate of a release over a manifest: keeps when, by the clock of the workflow, so that it expires by the first
 * time, and gives the decisions that people have made on it before. A kept decision counts as it would if it were sent
 * now: its signature is judged by the newest trust file, and an approval has to acknowledge what the audit asks for.
 * Whoever puts another time there can let the gate expire early, and people reopen it; what is not a time, or is in the
 * future, counts as now.
 *
 * Safe to run twice: the time is put if absent, and the first one is kept.
 *
 * @contract C16
 * @contract safe-to-retry
 */
export async function openGate(context: PublicContext, input: OpenGateInput): Promise<OpenedGate> {
  const { releaseStore } = context;
  const { openedAt } = input;
  const bytes = jsonBytes({ format: GATE_FORMAT, openedAt });
  const object = await putOnce(releaseStore, RELEASE_KEYS.gate(input, input.manifestDigest), bytes);
  const { data } = gateSchema.safeParse(jsonOrNull(object.toString('utf8')));
  const { decisions, isWithdrawn, isReopened } = await listDecisions(await gateOf(context, input), input);
  // When it was reopened is not kept: then its time begins again.
  const isEarlier = !isReopened && data && Date.parse(data.openedAt) < Date.parse(openedAt);
  return { openedAt: isEarlier ? data.openedAt : openedAt, decisions, isWithdrawn };
}
