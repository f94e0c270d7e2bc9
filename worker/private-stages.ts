import { PRIVATE_KINDS } from '../kinds/private-kinds.ts';
import { computePrivate } from './compute-private.ts';

/** Process entry of what computes for opaline-private. */
await computePrivate(PRIVATE_KINDS);
