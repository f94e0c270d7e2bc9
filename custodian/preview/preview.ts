import { z } from 'zod';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { digestText } from '../../contracts/formats/common.ts';
import { kindOf } from '../../contracts/kind.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import { walkLedger } from '../../services/ledger/ledger.ts';
import { jsonBytes, keysBelow, readJson, sha256 } from '../../services/stores/json-objects.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { requireRules } from '../custody/admission.ts';
import type { PrivateContext, RowsSeen } from '../private-context.ts';

/** Commands that look at raw rows before a series over them is chosen. */
const LOOKS = ['preview', 'risk report', 'risk advise'] as const;

/** The record that somebody has looked at the rows of a source (C17). What they saw is kept with it. */
const previewSchema = z.object({
  format: z.literal('opaline-preview/2'),
  at: z.iso.datetime(),
  series: z.string(),
  window: z.iso.date(),
  /** What they looked with. */
  command: z.enum(LOOKS),
  /**
   * Series files of the population that were there before: the one that was looked at, and those that were drawn; and of
   * those that were looked at what parametersOf gives.
   */
  known: z.array(digestText),
  shown: z.unknown(),
});

type PreviewRecord = z.output<typeof previewSchema>;

/** A series file as people have it before it is applied. */
export type Previewed = {
  series: Series;
  digest: string;
  dictionaries: readonly { digest: string; bytes: Buffer }[];
};

/**
 * Shows a custodian what is made of the rows of a window, and records it before it is shown, without the values: a series
 * of the population that is written afterwards with other parameters has to say so (`privacy.chosenOn`). Nothing is
 * charged, and nothing leaves the custodian side. Throws POLICY_REFUSED, WINDOW_INVALID, USAGE for a kind that cannot be
 * shown.
 *
 * @contract C17
 */
export async function preview(
  context: PrivateContext,
  { series, digest, dictionaries }: Previewed,
  window: string,
): Promise<RowsSeen> {
  const kind = kindOf(context.kinds, series);
  if (!kind.looks)
    throw wrongUse(`Rows of ${series.kind} cannot be looked at so; there is no preview of ${series.series}.`);
  requireRules(context, kind, series);
  // The lists of the file itself: it may not be applied yet.
  const releaseStore = new MemoryStore();
  for (const list of dictionaries) await releaseStore.putIfAbsent(RELEASE_KEYS.dictionary(list.digest), list.bytes);
  const view = await kind.looks.preview({ ...context, releaseStore }, series, window);
  await recordLook(context, { series, digest }, { window, command: 'preview', shown: view.shown });
  return view;
}

/** A look at a window, and what it showed. */
type Look = Pick<PreviewRecord, 'window' | 'command' | 'shown'>;

/** What a series file says of how the objects of its source are found and read. */
const READER_FIELDS: readonly (keyof Series['source'])[] = [
  'pattern',
  'format',
  'compression',
  'encoding',
  'csv',
  'json',
  'clock',
  'completeness',
];

/**
 * Digest of all that a series file says except who decides, when it runs, how it is shown, and how its objects are found
 * and read: whoever changes nothing else has chosen nothing of how people are counted and protected. Of columns it counts
 * which there are, and not what the source calls them. A field that is not named here is a parameter.
 *
 * @contract C17
 */
function parametersOf(series: Series): string {
  const { custodians: _, gate: __, publication: ___, schedule: ____, source, ...parameters } = series;
  const { columns: sets = {}, ...fields } = source;
  const others = Object.entries(fields).filter(([name]) => !READER_FIELDS.some((field) => field === name));
  const names = [sets].flat().flatMap((set) => Object.keys(set ?? {}));
  const columns = [...new Set(names)].sort();
  return sha256(canonicalJson({ ...parameters, source: { ...Object.fromEntries(others), columns } }));
}

/**
 * Records a look at the rows of a window. Whatever series file of the population was not there before has to say so,
 * unless its parameters were.
 *
 * @contract C17
 */
export async function recordLook(
  context: PrivateContext,
  { series, digest }: Pick<Previewed, 'series' | 'digest'>,
  look: Look,
): Promise<void> {
  const { population } = series;
  const record: PreviewRecord = {
    format: 'opaline-preview/2',
    at: context.now().toISOString(),
    series: series.series,
    known: [...new Set([digest, parametersOf(series), ...(await listSeries(context, population))])],
    ...look,
  };
  await context.privateStore.putIfAbsent(PRIVATE_KEYS.preview(population, context.newId()), jsonBytes(record));
}

/** Digests of the series files of a population that were drawn, or looked at, before now; of the latter parametersOf. */
async function listSeries(context: PrivateContext, population: string): Promise<string[]> {
  const { entries } = await walkLedger(context.privateStore, population);
  const draws = entries.flatMap((entry) => (entry.kind === 'reserve' && entry.series ? [entry.series.digest] : []));
  return [...draws, ...(await records(context, population)).flatMap(({ known }) => known)];
}

async function records({ privateStore }: PrivateContext, population: string): Promise<PreviewRecord[]> {
  const keys = await keysBelow(privateStore, PRIVATE_KEYS.previews(population));
  return mapAtOnce(keys, 1, (key) => readJson(privateStore, key, previewSchema));
}

/**
 * Was the source looked at before these parameters were written, and does the file not say so? Then it is not drawn, as
 * its certificate would promise parameters that were chosen without the data. Throws POLICY_REFUSED.
 *
 * @contract C17
 */
export async function requireChosenOn(context: PrivateContext, series: Series, digest: string): Promise<void> {
  const unsaid = await findUndeclared(context, { series, digest });
  if (unsaid !== null) throw new OpalineError('POLICY_REFUSED', unsaid);
}

/** A look before these parameters were written that the file does not declare; null when there is nothing to say. */
export async function findUndeclared(
  context: PrivateContext,
  { series, digest }: Pick<Previewed, 'series' | 'digest'>,
): Promise<string | null> {
  if (series.privacy.chosenOn !== undefined) return null;
  const own = [digest, parametersOf(series)];
  const unsaid = (await records(context, series.population)).find(
    ({ known }) => !own.some((one) => known.includes(one)),
  );
  if (!unsaid) return null;
  return `Rows of ${unsaid.series}, window ${unsaid.window}, were looked at (opaline ${unsaid.command}) before this series file took its parameters; say so in privacy.chosenOn, such as "the window of ${unsaid.window}", and sign the file again.`;
}

/** What a custodian has to know of the look, and whether this file says what it has to (C17). */
export function lookNotice({ series }: Pick<Previewed, 'series'>, unsaid: string | null): string {
  const always =
    'It is recorded that this was looked at: a series file of these people that is written from now on has to say so in privacy.chosenOn, unless nothing is different from here but custodians, gate, publication and schedule, and pattern, format, encoding, column names, clock and completeness of the source.';
  if (series.privacy.chosenOn !== undefined) return `${always} This one says it.`;
  return unsaid === null ? `${always} This one need not.` : `${always} This one has to already: ${unsaid}`;
}
