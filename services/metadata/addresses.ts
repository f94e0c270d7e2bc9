import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';

type Addressed = { release: ReleaseReference; publication: Pick<Series['publication'], 'baseUrl'> };

/** The address of the folder of a release, with a slash at its end; null when the series names none. */
export const folderAddress = ({ release, publication: { baseUrl } }: Addressed): string | null =>
  baseUrl === undefined ? null : `${baseUrl.replace(/\/+$/, '')}/${releasePath(release)}/`;

/** A licence that is written as an SPDX identifier, such as CC-BY-4.0. */
const SPDX = /^[A-Za-z0-9][A-Za-z0-9.+-]*$/;

/** A licence as metadata has it: its SPDX identifier and its address, as far as its name shows them. */
export function licenceOf(text: string): { id: string | null; address: string | null } {
  if (/^https?:\/\//.test(text)) return { id: null, address: text };
  return SPDX.test(text)
    ? { id: text, address: `https://spdx.org/licenses/${text}.html` }
    : { id: null, address: null };
}
