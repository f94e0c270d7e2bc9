import { type AuditReport, auditReportSchema } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES } from '../../contracts/names.ts';
import { nesting } from '../../core/json/nesting.ts';
import { sha256 } from '../stores/json-objects.ts';
import { type Attestation, readAttestation } from './attestation-file.ts';
import type { Audits } from './release-texts.ts';
import { fileOf, type ReleaseFiles } from './staged-files.ts';

/** The manifest of a year of a large city is some megabytes long. */
const JSON_BYTES = 256 * 2 ** 20;

/** The deepest of our files has a dozen levels. */
const JSON_LEVELS = 64;

/** Name of the audit that decides: the second one, where a release has it (C15). */
export const lastAuditOf = (files: readonly { name: string }[]): string =>
  files.some(({ name }) => name === FILES.secondAudit) ? FILES.secondAudit : FILES.audit;

/** A publication as checks see it: every part is read when a check asks for it, and throws when it is no good. */
export class Publication {
  readonly files: ReleaseFiles;
  /** Names of what the folder holds and no publication has. */
  readonly others: readonly string[];

  constructor({ files, others }: { files: ReleaseFiles; others: readonly string[] }) {
    this.files = files;
    this.others = others;
  }

  get manifest(): Manifest {
    return manifestSchema.parse(this.json(FILES.manifest));
  }

  get manifestDigest(): string {
    return sha256(fileOf(this.files, FILES.manifest));
  }

  get attestation(): Attestation {
    return readAttestation(this.json(FILES.attestation));
  }

  get audit(): AuditReport {
    const [first, second] = this.audits;
    return second ?? first;
  }

  get audits(): Audits {
    const read = (name: string): AuditReport => auditReportSchema.parse(this.json(name));
    const first = read(FILES.audit);
    return this.files.has(FILES.secondAudit) ? [first, read(FILES.secondAudit)] : [first];
  }

  /** The content of a JSON file. Throws VERIFICATION_FAILED for one that is larger or deeper than any of ours. */
  json(name: string): unknown {
    const bytes = fileOf(this.files, name);
    const text = bytes.length > JSON_BYTES ? null : bytes.toString('utf8');
    if (text !== null && nesting(text) <= JSON_LEVELS) return JSON.parse(text);
    throw new OpalineError('VERIFICATION_FAILED', `${name} is larger or nested deeper than a file of a publication.`);
  }
}
