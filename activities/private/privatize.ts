import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { Draw, PrivatizeInput } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { type CellCount, privatize as drawTable } from '../../core/mechanisms/privatize.ts';
import { readPublicDomain } from '../public-domain.ts';
import { certificateOf } from '../series-certificate.ts';
import { jsonBytes, putOnce, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { readCells } from './cells.ts';
import type { PrivateContext } from './context.ts';
import { askedAnew } from './randomness.ts';

/**
 * Draws the privatized table of one partition and stores it; the only code that meets noise. The noise and the
 * unpublished counts are never stored.
 *
 * Safe to run twice, by a retry, a replay or a zombie: the draw record ties the release to its input before anything
 * is drawn, and of any number of draws the first that is stored is the one; all others are thrown away unseen, and
 * everybody reads what is stored. A second input under the same release is refused.
 *
 * @contract C11
 * @contract safe-to-retry
 */
export async function privatize(context: PrivateContext, input: PrivatizeInput): Promise<Draw> {
  const { partition, round } = input;
  const series = await readSeries(context.releaseStore, input);
  const counts = await readCells(context, input, round, partition);
  await recordDraw(context, input, series, counts);
  const key = RELEASE_KEYS.privatized(input, partition);
  const stored = (await readBytesIfPresent(context.releaseStore, key)) ?? (await draw(context, input, series, counts));
  return { partition, digest: sha256(stored) };
}

async function draw(
  context: PrivateContext,
  { partition, ...run }: PrivatizeInput,
  series: Series,
  counts: CellCount[],
): Promise<Buffer> {
  const domain = await readPublicDomain(context.releaseStore, series, partition);
  const table = drawTable(partition, counts, domain, certificateOf(series), askedAnew(context.random));
  const { bytes } = await putOnce(context.releaseStore, RELEASE_KEYS.privatized(run, partition), jsonBytes(table));
  return bytes;
}

/** Put if absent before the draw. It stays on the custodian side: the digest of the input is an exact query. */
async function recordDraw(
  context: PrivateContext,
  input: PrivatizeInput,
  series: Series,
  counts: CellCount[],
): Promise<void> {
  const { partition, charge } = input;
  const parameters = { privacy: series.privacy, bins: series.bins, day: series.day, timeZone: series.timeZone };
  const record = jsonBytes({
    format: 'opaline-draw-record/1',
    input: sha256(canonicalJson(counts)),
    parameters: sha256(canonicalJson(parameters)),
    charge,
  });
  const { bytes } = await putOnce(context.privateStore, PRIVATE_KEYS.draw(input, partition), record);
  if (bytes.equals(record)) return;
  throw new OpalineError(
    'NEEDS_CORRECTION',
    `${partitionPath(partition)} was drawn from another input or under another charge; a change needs a new version.`,
  );
}
