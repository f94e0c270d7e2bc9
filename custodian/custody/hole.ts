import { HOLE_FORMAT } from '../../contracts/formats/draw-receipt.ts';
import { type Partition, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { OBJECT_CODES, type ObjectCode } from '../../contracts/stages.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';

/**
 * What lies at the key of a draw that there will never be: release, partition and code, and nothing of the input (C16).
 * It is put if absent, and so is a table: whichever is first stands for ever.
 */
export const holeBytes = (release: ReleaseReference, { part, day }: Partition, code: ObjectCode): Buffer =>
  jsonBytes({ format: HOLE_FORMAT, release: releasePath(release), part, day, code });

/** The code of a hole that is stored in the place of a table; null when a table is. */
export const codeOfHole = (bytes: Buffer, release: ReleaseReference, partition: Partition): ObjectCode | null =>
  OBJECT_CODES.find((code) => bytes.equals(holeBytes(release, partition, code))) ?? null;
