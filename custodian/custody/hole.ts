import { HOLE_FORMAT } from '../../contracts/formats/draw-receipt.ts';
import { type Partition, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { OBJECT_CODES, type ObjectCode } from '../../contracts/stages.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';

/**
 * The object at the key of a draw that will never exist: release, partition and code, and nothing of the input (C16).
 * It is put if absent, and so is a table: whichever is first stays for ever.
 */
export const holeBytes = (release: ReleaseReference, { part, day }: Partition, code: ObjectCode): Buffer =>
  jsonBytes({ format: HOLE_FORMAT, release: releasePath(release), part, day, code });

/** The code of a hole that is stored instead of a table; null when a table is stored. */
export const codeOfHole = (bytes: Buffer, release: ReleaseReference, partition: Partition): ObjectCode | null =>
  OBJECT_CODES.find((code) => bytes.equals(holeBytes(release, partition, code))) ?? null;
