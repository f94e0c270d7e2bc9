import { PRIVATE_KEYS } from '../../contracts/names.ts';
import type { ObjectFault, Run } from '../../contracts/stages.ts';
import { jsonBytes, readJson } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { faultSchema } from './inventory.ts';

/**
 * Keeps what counting found of objects: a fault of each partition that it holds back, as a hole is made of nothing else
 * (C16). Safe to run twice: the first fault of a partition in a round is kept.
 */
export async function recordFaults(
  { privateStore }: PrivateContext,
  run: Run,
  round: number,
  faults: readonly ObjectFault[],
): Promise<void> {
  for (const fault of faults)
    for (const partition of fault.partitions)
      await privateStore.putIfAbsent(
        PRIVATE_KEYS.fault(run, round, partition),
        jsonBytes({ ...fault, partitions: [partition] }),
      );
}

/** Faults that counting found in a round, of partitions that no later attempt in that round has counted. */
export async function readFaults({ privateStore }: PrivateContext, run: Run, round: number): Promise<ObjectFault[]> {
  const faults: ObjectFault[] = [];
  for await (const { key } of privateStore.list(PRIVATE_KEYS.faults(run, round))) {
    const fault = await readJson(privateStore, key, faultSchema);
    const [partition] = fault.partitions;
    if (partition && !(await privateStore.head(PRIVATE_KEYS.cells(run, round, partition)))) faults.push(fault);
  }
  return faults;
}
