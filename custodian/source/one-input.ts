import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, PRIVATE_KEYS, partitionPath } from '../../contracts/names.ts';
import type { DrawInput, Run } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { matchObject } from '../../core/source-pattern/pattern.ts';
import { readBytesIfPresent } from '../../services/stores/json-objects.ts';
import type { Admitted } from '../custody/admission.ts';
import { readDrawRecord } from '../custody/draw-record.ts';
import type { PrivateContext } from '../private-context.ts';
import { diffKeys, meet, partitionsOf, readInventory, sourceWindow } from './inventory.ts';

/**
 * Refuses a draw that was not made of the same input as those that are there: an object that may feed both partitions
 * has to be the same in the rounds of both, or one unit would count in two deliveries (C1, C2). Asked again once the draw
 * record is written, so that of two draws at once one sees the other. Throws NEEDS_CORRECTION.
 *
 * Cost: one request while there is one round; else one for each partition of the release.
 *
 * @contract C2
 * @contract C11
 */
export async function requireOneInput(
  context: PrivateContext,
  { kind, series }: Pick<Admitted, 'kind' | 'series'>,
  input: Omit<DrawInput, 'charge'>,
): Promise<void> {
  const { round, partition } = input;
  const [before, after] = [await isThere(context, input, round - 1), await isThere(context, input, round + 1)];
  if (!before && !after) return;
  const partitions = windowPartitions(series, kind.terms(series).parts, input.window);
  const source = sourceWindow(kind, series, input.window);
  const own = (await readInventory(context, input, round)).objects;
  for (const [other, draws] of await groupDraws(context, input, partitions)) {
    if (other === round) continue;
    const { objects } = await readInventory(context, input, other);
    for (const key of diffKeys(objects, own)) {
      const reach = partitionsOf(source, [matchObject(source.pattern, key) ?? {}]);
      if (meet(reach, [partition]) && meet(reach, draws))
        throw new OpalineError(
          'NEEDS_CORRECTION',
          `An object that may feed ${partitionPath(partition)} has changed since another partition was drawn from it; release a new version.`,
        );
    }
  }
}

const isThere = async ({ privateStore }: PrivateContext, run: Run, round: number): Promise<boolean> =>
  round >= 0 && (await privateStore.head(PRIVATE_KEYS.inventory(run, round))) !== null;

/** The partitions that are drawn, or are about to be, by their rounds. */
async function groupDraws(
  { privateStore }: PrivateContext,
  run: Run,
  partitions: readonly Partition[],
): Promise<Map<number, Partition[]>> {
  const rounds = new Map<number, Partition[]>();
  for (const partition of partitions) {
    const bytes = await readBytesIfPresent(privateStore, PRIVATE_KEYS.draw(run, partition));
    if (!bytes) continue;
    const { round } = readDrawRecord(bytes);
    rounds.set(round, [...(rounds.get(round) ?? []), partition]);
  }
  return rounds;
}
