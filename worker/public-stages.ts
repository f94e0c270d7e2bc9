import { PUBLIC_KINDS } from '../kinds/public-kinds.ts';
import { computePublic } from './compute-public.ts';

/** Process entry of what computes for opaline-public. */
await computePublic(PUBLIC_KINDS);
