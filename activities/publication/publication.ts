import { type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES } from '../../contracts/names.ts';
import { sha256 } from '../stores/json-objects.ts';
import { type Attestation, attestationSchema } from './attestation.ts';
import { fileOf, type ReleaseFiles } from './staged-files.ts';

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
    return attestationSchema.parse(this.json(FILES.attestation));
  }

  get audit(): AuditReport {
    return auditReportSchema.parse(this.json(FILES.audit));
  }

  /** The content of a JSON file. */
  json(name: string): unknown {
    return JSON.parse(fileOf(this.files, name).toString('utf8'));
  }
}
