import { PUBLIC_KINDS } from '../../kinds/public-kinds.ts';
import { computePublic } from '../../worker/compute-public.ts';
import { publicCounts } from './public-kind.ts';

await computePublic({ ...PUBLIC_KINDS, counts: publicCounts });
