import type { PublicFailure } from '../../services/failure.ts';

/** What a worker asks of one of its computing processes: an activity by name, with its input. JSON, as in Temporal. */
export type StageRequest = { id: number; activity: string; input: unknown };

/** What the process answers: the result, or the public words of the failure. */
export type StageAnswer = { id: number; result?: unknown } | { id: number; failure: PublicFailure };

/** The first message of a process: it takes requests from here on. */
export const READY = 'ready';
