import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OpalineError } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { LedgerReader } from '../../services/ledger/verify-ledger.ts';
import { loadFiles, requireAuditedRelease } from '../../services/publication/audited-release.ts';

/**
 * Writes everything that would be published of a release, checked, to a temporary folder of this person, and gives the
 * path of one file of it. Throws OBJECT_MISSING, COPY_DIFFERS, and what the ledger and the trust file throw.
 */
export async function copyRelease(reader: LedgerReader, release: ReleaseReference, file: string): Promise<string> {
  const files = await loadFiles(reader.releaseStore, await requireAuditedRelease(reader, release));
  if (!files.has(file)) throw new OpalineError('OBJECT_MISSING', `${releasePath(release)} has no ${file}.`);
  const folder = await mkdtemp(join(tmpdir(), 'opaline-release-'));
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return join(folder, file);
}
