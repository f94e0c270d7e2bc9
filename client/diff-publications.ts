import { wrongUse } from '../contracts/errors.ts';
import { kindOf } from '../contracts/kind.ts';
import { releasePath } from '../contracts/names.ts';
import type { ComparedTable } from '../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../kinds/client-kinds.ts';
import { Publication } from '../services/publication/publication.ts';
import { readFolder } from './verify/folder-files.ts';

/** P[anything of unchanged truth is named], over all tables together. */
const ERROR_RATE = 0.05;

/** What two publications differ in by more than noise explains, with the releases that they are of. */
export type PublicationDifferences = { earlier: string; later: string; errorRate: number; tables: ComparedTable[] };

/**
 * What differs between the folders of two publications by more than noise explains. It trusts the folders;
 * verifyPublication checks whether they are what they say. Throws USAGE when they cannot be compared.
 */
export async function diffPublications(earlier: string, later: string): Promise<PublicationDifferences> {
  const [before, after] = await Promise.all(
    [earlier, later].map(async (folder) => new Publication(await readFolder(folder))),
  );
  const [a, b] = [before!.manifest, after!.manifest];
  const { differences } = kindOf(CLIENT_KINDS, a);
  if (a.kind !== b.kind || a.window !== b.window)
    throw wrongUse('The two are not of the same kind and window: name two versions of the same days.');
  if (!differences)
    throw wrongUse(`Nothing is known of how far noise moves two draws of ${a.kind}; compare them by eye.`);
  const tables = differences(before!, after!, ERROR_RATE);
  return { earlier: releasePath(a), later: releasePath(b), errorRate: ERROR_RATE, tables };
}
