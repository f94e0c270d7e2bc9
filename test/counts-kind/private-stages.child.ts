import { PRIVATE_KINDS } from '../../kinds/private-kinds.ts';
import { computePrivate } from '../../worker/compute-private.ts';
import { privateCounts } from './private-kind.ts';

await computePrivate({ ...PRIVATE_KINDS, counts: privateCounts });
