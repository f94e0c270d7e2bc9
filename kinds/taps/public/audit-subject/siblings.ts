import { certificateShape } from '../../../../contracts/certificate.ts';
import { OpalineError } from '../../../../contracts/errors.ts';
import type { LedgerEntry } from '../../../../contracts/formats/ledger-entry.ts';
import { FILES, type ReleaseReference, releasePath } from '../../../../contracts/names.ts';
import type { ObjectStore } from '../../../../contracts/object-store.ts';
import { clockMinutes } from '../../../../core/calendar/time-bins.ts';
import { findCharges } from '../../../../counts/audit/ledger-facts.ts';
import type { SiblingPublication } from '../../../../counts/audit/subject.ts';
import type { LedgerReader } from '../../../../services/ledger/verify-ledger.ts';
import { listPublications } from '../../../../services/publication/published-releases.ts';
import {
  readListedFile,
  readSeriesRelease,
  type SeriesRelease,
} from '../../../../services/series-pages/series-release.ts';
import type { TapsSeries } from '../../series.ts';
import { type PrivacyFile, privacyFileSchema } from '../privacy-file.ts';
import { loadCells } from './table-files.ts';

/** Where publications are, and whom to believe about them. */
export type PublicationPlaces = Pick<LedgerReader, 'trust'> & { publicationStore: ObjectStore };

/** A window of a series, and where its siblings published. */
type OwnWindow = PublicationPlaces & { series: TapsSeries; window: string };

/**
 * The newest publication of the window of each sibling series that a publisher of the trust file signed; without one a
 * sibling shows nothing.
 * One that was retracted is read too: whoever has it keeps it. Throws VERIFICATION_FAILED for one that cannot be read.
 */
export async function readSiblings(own: OwnWindow, entries: readonly LedgerEntry[]): Promise<SiblingPublication[]> {
  const siblings: SiblingPublication[] = [];
  for (const sibling of own.series.audit?.siblings ?? []) {
    const newest = await newestOfWindow(own, sibling);
    const publication = newest && (await readPublication(own, newest));
    if (publication) siblings.push({ ...publication, charged: findCharges(entries, newest.release) });
  }
  return siblings;
}

async function newestOfWindow({ publicationStore, trust, window }: OwnWindow, series: string) {
  const releases = (await listPublications(publicationStore, series, window)).map(({ release }) => release);
  const chain = await trust();
  for (const release of releases.sort((a, b) => b.version - a.version)) {
    const newest = await readSeriesRelease(publicationStore, release, chain);
    if (newest) return newest;
  }
  return null;
}

async function readPublication({ publicationStore, series }: OwnWindow, newest: SeriesRelease) {
  const { release } = newest;
  const read = (file: string) => readListedFile(publicationStore, newest, file);
  const [certificate, privacy] = [await read(FILES.certificate), await read(FILES.privacy)];
  if (!certificate || !privacy) return null;
  try {
    const cells = await loadCells(read);
    if (!cells) return null;
    const { domain } = privacyFileSchema.parse(JSON.parse(privacy.toString('utf8')));
    return {
      release: releasePath(release),
      minutes: domain.binMinutes,
      covering: matchModes(domain, series),
      certificate: certificateShape.parse(JSON.parse(certificate.toString('utf8'))),
      cells,
    };
  } catch (error) {
    // A full disk is no fault of the sibling, and goes away.
    if (error instanceof Error && 'syscall' in error) throw error;
    throw unreadable(release);
  }
}

/** Modes of a sibling that counts by the same places, and in time bins that ours fit into. */
function matchModes(domain: PrivacyFile['domain'], { timeZone, day, bins }: TapsSeries): ReadonlySet<string> {
  const fits =
    domain.timeZone === timeZone &&
    domain.binMinutes % bins.minutes === 0 &&
    (clockMinutes(domain.dayStarts) - clockMinutes(day.starts)) % bins.minutes === 0;
  const samePlaces = (mode: string): boolean => {
    const [theirs, ours] = [domain.locations[mode], bins.locations[mode]];
    return theirs?.dictionary === ours?.dictionary && theirs?.unknown === ours?.unknown;
  };
  return new Set(fits ? domain.modes.filter(samePlaces) : []);
}

const unreadable = (release: ReleaseReference): OpalineError =>
  new OpalineError(
    'VERIFICATION_FAILED',
    `The sibling publication ${releasePath(release)} is damaged: its certificate, privacy.json or cells cannot be read; restore it, or take its series out of audit.siblings.`,
  );
