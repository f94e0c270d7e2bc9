import type { PublicKind } from '../../../services/release/public-context.ts';
import { tapsKind } from '../series-kind.ts';
import { auditTaps } from './audit.ts';
import { deriveTaps } from './derive.ts';
import { tapsTexts } from './texts.ts';

/** Taps on the public side. */
export const publicTaps: PublicKind = { ...tapsKind, derive: deriveTaps, audit: auditTaps, texts: tapsTexts };
