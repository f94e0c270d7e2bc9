import type { Verdict } from './audit-report.ts';
import type { ErrorCode } from './errors.ts';
import type { Partition } from './names.ts';
import type { ReleaseState } from './release-state.ts';

/** States that people are notified of: somebody has to do something. */
export const NOTICE_STATES = [
  'waiting',
  'expired',
  'partitions-failed',
  'stalled',
  'ending-stalled',
  'failed',
  // Of objects that changed since alone.
  'published',
] as const satisfies readonly ReleaseState[];
export type NoticeState = (typeof NOTICE_STATES)[number];

export const NOTICE_SUBJECTS = ['release', 'retraction', 'sources'] as const;

/**
 * A source object that is not the one that was pinned at ingest, or that was missing then and is missing still, and the
 * partitions that it may feed (C6).
 */
export type ChangedObject = {
  object: string;
  change: 'replaced' | 'gone' | 'new' | 'missing';
  partitions: Partition[];
};

/** What a notice says about a release: nothing but what the public side knows (C20). */
export type Notice = {
  about: (typeof NOTICE_SUBJECTS)[number];
  state: NoticeState;
  /** When the release entered the state; ISO 8601 with Z. */
  at: string;
  /** Null before the audit. */
  verdict: Verdict | null;
  /** Points that an approval has to acknowledge. */
  attention: string[];
  /** What holds the release up, or ended it; null where nothing does. */
  code: ErrorCode | null;
  /** Partitions that objects hold back. */
  failed: number;
  /** Until when the gate is open; ISO 8601 with Z, null where no gate is. */
  expiresAt: string | null;
  /** Of a gate that was reported before and is still open: how many have approved it, and how many have to. */
  reminder?: { signed: number; required: number };
  /** Of a decision that was taken: the SHA-256 of its envelope, by which the release store keeps it. */
  decision?: string;
  /** Of the sources of a publication: objects that came or changed since, by their names (C6). */
  changed?: ChangedObject[];
};
