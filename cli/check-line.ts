import { relative } from 'node:path';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { clientDeployment } from './client-deployment.ts';

/** The command that checks a publication where it is; null for one that is not public, or is in no folder. */
export async function checkLine({ location }: Pick<ReleaseStatus, 'location'>): Promise<string | null> {
  if (!location?.startsWith('folder:')) return null;
  const { trust } = await clientDeployment();
  const [publication, file] = [location.slice('folder:'.length), trust.file].map((path) => relative('', path) || '.');
  return `Check it: opaline verify ${publication} --trust ${file}`;
}
