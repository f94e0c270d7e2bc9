import type { Envelope } from '../../contracts/decision.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { GateKind } from '../../contracts/release-state.ts';
import { envelopeDigest, isOverManifest, readDecision } from '../signing/decision-statement.ts';
import { readRecords } from './decision-record.ts';
import { type Gate, judgeSigner } from './gate-signers.ts';

/** How often people turned a gate: digests of the envelopes by which approvers withdrew or reopened it, in order. */
export type GateTurns = { withdrawals: string[]; reopenings: string[] };

/**
 * What was withdrawn and reopened at a gate, as the kept statements say: each is signed by an approver who counts, over
 * this manifest and for this gate. What anybody else puts there is passed over.
 *
 * @contract C16 An approval that is posted again after its withdrawal does not count: it does not name the withdrawal.
 */
export async function gateTurns(gate: Gate, about: Matter): Promise<GateTurns> {
  return turnsOf(await readRecords(gate.releaseStore, about), gate, about);
}

type Matter = ReleaseReference & { manifestDigest: string; gate: GateKind };

/** The same, of records that were read. */
export function turnsOf(records: readonly { envelope: Envelope }[], gate: Gate, about: Matter): GateTurns {
  const turns: GateTurns = { withdrawals: [], reopenings: [] };
  for (const { envelope } of records) {
    const decision = readDecision(envelope);
    const { predicate } = decision;
    const lists = { withdraw: turns.withdrawals, reopen: turns.reopenings, approve: null, reject: null, retract: null };
    const list = lists[predicate.decision];
    if (list === null || predicate.gate !== about.gate) continue;
    if (!isOverManifest(decision, about)) continue;
    if (!('code' in judgeSigner(gate, decision, envelope))) list.push(envelopeDigest(envelope));
  }
  return { withdrawals: turns.withdrawals.sort(), reopenings: turns.reopenings.sort() };
}
