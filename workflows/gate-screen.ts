import type { DecisionKind, Envelope } from '../contracts/decision.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import { FILES, type ReleaseReference, releasePath } from '../contracts/names.ts';
import type { SigningApprovers } from '../contracts/stages.ts';
import { believedStatement } from './signed-statement.ts';

/** Why a decision is turned away before anything of it is kept. */
export type TurnedAway = { code: ErrorCode; message: string };

/** What a decision has to be about. */
type Matter = ReleaseReference & { manifestDigest: string; action: DecisionKind };

const LEAST_PAUSE_MS = 10_000;
/** The approvers may be read again when so much of the time since the first reading has passed. */
const PART_OF_TIME = 1 / 50;

/**
 * What a gate knows of those who may sign, and of what it has answered. It turns junk away in the validator of an
 * Update, where nothing is kept: whoever reaches Temporal can send a decision, and only people with a key can make one
 * that counts. It believes nobody: what passes here is judged by the activity, from the newest list of approvers.
 *
 * Everything in it follows from the history, so that a replay comes to the same.
 */
export class GateScreen {
  private approvers: SigningApprovers | null = null;
  /** When the approvers were read first and last; milliseconds. */
  private readings: { first: number; last: number } | null = null;
  /** Statements (as base64) that were answered, with the digest of the file that named the approvers then. */
  private readonly answered = new Map<string, string>();

  /** Notes that the approvers are being read. */
  begin(now: number): void {
    this.readings = { first: this.readings?.first ?? now, last: now };
  }

  /** Takes the approvers that were read. */
  know(approvers: SigningApprovers): void {
    this.approvers = approvers;
  }

  get isKnown(): boolean {
    return this.approvers !== null;
  }

  /**
   * Milliseconds until the approvers may be read again. Whoever asks for it, everybody has the new list then, so that
   * nobody can be kept out; and as the pauses grow with the time, they are read some six hundred times in a year.
   */
  pause(now: number): number {
    if (!this.readings) return 0;
    const { first, last } = this.readings;
    return Math.max(0, last + Math.max(LEAST_PAUSE_MS, (now - first) * PART_OF_TIME) - now);
  }

  /** Notes that a statement was answered by the activity: again, under the same approvers, it would say nothing new. */
  note({ payload }: Envelope): void {
    this.answered.set(payload, this.approvers?.digest ?? '');
  }

  /**
   * Why a decision says nothing here; null when it is for the activity to judge. Only what an approver has signed, over
   * this manifest and for this action, and has not sent before, gets that far. While it is not known who may sign, one
   * decision passes as often as the approvers can be read: it has them read.
   */
  refusal(envelope: Envelope, about: Matter, now: number): TurnedAway | null {
    if (!this.approvers)
      return this.pause(now) === 0
        ? null
        : { code: 'STORE_UNAVAILABLE', message: 'It is not known yet who may sign; try again in a moment.' };
    const read = believedStatement(envelope, this.approvers.approvers);
    if ('code' in read) return read;
    const manifest = `${releasePath(about)}/${FILES.manifest}`;
    if (!read.manifests.some(({ name, sha256 }) => name === manifest && sha256 === about.manifestDigest))
      return {
        code: 'DIGEST_STALE',
        message: 'The decision names another manifest than the one at the gate; look again.',
      };
    if (read.decision !== about.action)
      return {
        code: 'SIGNATURE_INVALID',
        message: 'The signed statement says something else than what it was sent for.',
      };
    if (this.answered.get(envelope.payload) === this.approvers.digest)
      return { code: 'ALREADY_DECIDED', message: 'This very statement was answered before.' };
    return null;
  }
}
