import { OpalineError } from '../../../contracts/errors.ts';
import type { Partition } from '../../../contracts/names.ts';
import type { ObjectFault } from '../../../contracts/stages.ts';
import { keepDiagnostics } from '../../../custodian/diagnostics.ts';
import type { PrivateContext } from '../../../custodian/private-context.ts';
import { mapAtOnce } from '../../../services/at-once.ts';
import { codeOf, isFileError, isOutOfMemory } from '../../../services/sql/duckdb.ts';
import { type NumberedObject, type Scan, scanObject } from './object-scan.ts';

/** An object, its number among those of the window, and the partitions that are counted and that it may feed. */
export type FeedingObject = NumberedObject & { partitions: Partition[] };

/**
 * Objects that are scanned at once where rows are handed over: DuckDB makes those of one object on one thread once its
 * buffer is full. Each has blocks of 24 MiB (bounding.ts).
 */
const CARD_OBJECTS_AT_ONCE = 4;

/**
 * Scans objects, as many at once as there are threads and as their counts have room: small ones have work for one
 * thread, and lines of text are read by Node. An object that finds no memory or scratch beside others is scanned again
 * alone, so that what is at fault does not depend on its neighbours. Which are at fault.
 *
 * @contract C6
 */
export async function scanObjects(scan: Scan, objects: readonly FeedingObject[]): Promise<ObjectFault[]> {
  const { database, taps } = scan;
  const atOnce = 'bound' in taps ? CARD_OBJECTS_AT_ONCE : Math.min(Math.max(2, database.threads), taps.objectsAtOnce);
  if (atOnce === 1) return scanAlone(scan, objects);
  const retries: FeedingObject[] = [];
  const faults = await mapAtOnce(objects, atOnce, (one) =>
    database
      .beside((own) => faultOf({ ...scan, database: own, isAlone: false }, one))
      .catch((error: unknown) => {
        if (!findsNoRoom(error)) throw error;
        retries.push(one);
        return [];
      }),
  );
  return [...faults.flat(), ...(await scanAlone(scan, retries))];
}

const scanAlone = async (scan: Scan, objects: readonly FeedingObject[]): Promise<ObjectFault[]> =>
  (await mapAtOnce(objects, 1, (one) => faultOf(scan, one))).flat();

/**
 * Scans one object; its fault if it has one, also when it cannot be read in the memory there is. DuckDB's error may
 * quote rows: its text goes to the diagnostics on the custodian side. Nothing but the code leaves, and of a schema the
 * names that the series file has (C6).
 */
async function faultOf(scan: Scan, one: FeedingObject): Promise<ObjectFault[]> {
  const key = one.object.pins[0].key;
  try {
    await scanObject(scan, one);
    return [];
  } catch (error) {
    const code = codeOfObject(error);
    if (code === null || (!scan.isAlone && findsNoRoom(error))) throw error;
    await keepDiagnostics(scan.context)(`bin ${key}`, error);
    if (code === 'OUT_OF_SCRATCH') throw outOfScratch();
    const message = code === 'OBJECT_SCHEMA' && error instanceof OpalineError ? { message: error.message } : {};
    return [{ object: key, code, ...message, partitions: one.partitions }];
  }
}

/** Is there no memory or scratch left, whoever says so? */
const findsNoRoom = (error: unknown): boolean =>
  error instanceof OpalineError ? error.code === 'OUT_OF_SCRATCH' : codeOf(error, 'UNEXPECTED') === 'OUT_OF_SCRATCH';

/** The code of what stops the scan of one object; null when it is no fault of a file or the machine. */
export const codeOfObject = (error: unknown): ObjectFault['code'] | null =>
  isOutOfMemory(error) ? 'OBJECT_TOO_LARGE' : faultCode(error);

/** The work on what all objects hold. What fails of it is no object's fault. */
export async function onAllObjects<T>(context: PrivateContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (faultCode(error) !== 'OUT_OF_SCRATCH') throw error;
    await keepDiagnostics(context)('bin cards', error);
    throw outOfScratch();
  }
}

const outOfScratch = (): OpalineError =>
  new OpalineError(
    'OUT_OF_SCRATCH',
    'The scratch disk or the memory limit of the private worker is used up; give it more and retry.',
  );

/** The code of an error that a file or the machine causes; null for ours and the stores'. */
function faultCode(error: unknown): ObjectFault['code'] | null {
  if (error instanceof OpalineError) return error.code.startsWith('OBJECT_') ? error.code : null;
  if (codeOf(error, 'UNEXPECTED') === 'OUT_OF_SCRATCH') return 'OUT_OF_SCRATCH';
  const isDamaged = isFileError(error) || (error instanceof Error && isZlibError(error));
  return isDamaged ? 'OBJECT_UNREADABLE' : null;
}

const isZlibError = (error: Error): boolean => 'code' in error && String(error.code).startsWith('Z_');
