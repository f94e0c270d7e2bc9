import { tmpdir } from 'node:os';
import { readAuditSubject } from '../../activities/audit-subject/audit-subject.ts';
import { type Attestation, attestationSchema } from '../../activities/publication/attestation.ts';
import { type PrivacyFile, privacyFileSchema } from '../../activities/publication/privacy-file.ts';
import { fileOf, type ReleaseFiles } from '../../activities/publication/staged-files.ts';
import { sha256 } from '../../activities/stores/json-objects.ts';
import { type AuditCheck, type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES } from '../../contracts/names.ts';
import type { AuditSubject } from '../../core/audit/subject.ts';
import { auditRelease } from '../../core/audit/verdict.ts';
import type { FolderFiles } from './folder-files.ts';

/** A publication as the checks see it: every part is read when a check asks for it, and throws when it is no good. */
export class Publication {
  readonly files: ReleaseFiles;
  readonly others: readonly string[];
  #subject: Promise<AuditSubject> | null = null;
  #checks: Promise<AuditCheck[]> | null = null;

  constructor({ files, others }: FolderFiles) {
    this.files = files;
    this.others = others;
  }

  get manifest(): Manifest {
    return manifestSchema.parse(this.#json(FILES.manifest));
  }

  get manifestDigest(): string {
    return sha256(fileOf(this.files, FILES.manifest));
  }

  get attestation(): Attestation {
    return attestationSchema.parse(this.#json(FILES.attestation));
  }

  get audit(): AuditReport {
    return auditReportSchema.parse(this.#json(FILES.audit));
  }

  get privacy(): PrivacyFile {
    return privacyFileSchema.parse(this.#json(FILES.privacy));
  }

  /** The rows and parameters, for the checks that the audit has too; nothing of the publisher's stores is needed. */
  subject(): Promise<AuditSubject> {
    this.#subject ??= this.#readSubject();
    return this.#subject;
  }

  /** The checks of the audit, run again on what is published. */
  auditAgain(): Promise<AuditCheck[]> {
    this.#checks ??= this.subject().then((subject) => auditRelease(subject).checks);
    return this.#checks;
  }

  async #readSubject(): Promise<AuditSubject> {
    const { series, window, version } = this.manifest;
    return readAuditSubject(this.files, {
      release: { series, window, version },
      parameters: null,
      privacy: null,
      locations: null,
      drawn: null,
      publicTexts: [],
      rewrite: false, // another version of the writer may be at work here
      scratch: tmpdir(),
    });
  }

  #json(name: string): unknown {
    return JSON.parse(fileOf(this.files, name).toString('utf8'));
  }
}
