import type { AuditCheck } from '../../../contracts/audit.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import type { ShadowCounts } from './tallies.ts';

/**
 * One check of what the mechanism did to synthetic counts: a pure function of the counts and the certificate. It fails
 * when its p-value is at most `level`.
 */
export type MechanismCheck = (shadow: ShadowCounts, certificate: Certificate, level: number) => AuditCheck;
