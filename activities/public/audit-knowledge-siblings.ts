import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { certificateShape } from '../../contracts/certificate-shape.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/ledger.ts';
import { FILES, PUBLIC_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { chargedBlocks } from '../../core/audit/ledger-facts.ts';
import type { SiblingPublication } from '../../core/audit/subject.ts';
import type { CountRow } from '../../core/derive/count-row.ts';
import { readBytesIfPresent } from '../stores/json-objects.ts';
import type { PublicContext } from './context.ts';
import { readParquet } from './parquet.ts';
import { publishedReleases } from './published-releases.ts';
import { withScratchFolder } from './scratch-folder.ts';

/**
 * The newest publication of the window of each sibling series; one whose files are not there tells nothing.
 * One that was retracted is read too: whoever has it keeps it. Throws VERIFICATION_FAILED for one that cannot be read.
 */
export async function readSiblings(
  context: PublicContext,
  siblings: readonly string[],
  window: string,
  entries: readonly LedgerEntry[],
): Promise<SiblingPublication[]> {
  const found: SiblingPublication[] = [];
  for (const series of siblings) {
    const release = await newestOfWindow(context.publicationStore, series, window);
    const publication = release && (await readPublication(context, release));
    if (publication) found.push({ ...publication, charged: chargedBlocks(entries, release) });
  }
  return found;
}

async function newestOfWindow(store: ObjectStore, series: string, window: string): Promise<ReleaseReference | null> {
  const releases = (await publishedReleases(store, series, window)).map(({ release }) => release);
  return releases.sort((a, b) => b.version - a.version)[0] ?? null;
}

async function readPublication(
  { publicationStore, scratch }: PublicContext,
  release: ReleaseReference,
): Promise<Omit<SiblingPublication, 'charged'> | null> {
  const read = (file: string) => readBytesIfPresent(publicationStore, PUBLIC_KEYS.file(release, file));
  const [certificate, parquet] = [await read(FILES.certificate), await read(FILES.parquet)];
  if (!certificate || !parquet) return null;
  try {
    return {
      release: releasePath(release),
      certificate: certificateShape.parse(JSON.parse(certificate.toString('utf8'))),
      cells: await readCells(scratch, parquet),
    };
  } catch (error) {
    // A full disk is no fault of the sibling, and goes away.
    if (error instanceof Error && 'syscall' in error) throw error;
    throw unreadable(release);
  }
}

/** The cells of the bytes of taps.parquet. Throws when they are not what writeParquet makes. */
export async function readCells(scratch: string, parquet: Buffer): Promise<CountRow[]> {
  const { cells } = await withScratchFolder(scratch, async (folder) => {
    const path = join(folder, FILES.parquet);
    await writeFile(path, parquet);
    return readParquet(path);
  });
  return cells;
}

const unreadable = (release: ReleaseReference): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `The sibling publication ${releasePath(release)} is damaged: its certificate or taps.parquet cannot be read; restore it, or take its series out of audit.siblings.`,
  );
