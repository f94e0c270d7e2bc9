import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { RELEASE_KEYS } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import { jsonBytes, jsonOrNull, keysBelow, readBytesIfPresent } from '../services/stores/json-objects.ts';

const RECORD_FORMAT = 'opaline-console-record/1';

const line = z.string().max(300);

/**
 * What somebody did in the console, or was refused. It is a diary, and no proof: whoever may write into the release store
 * can write one. What counts at a gate is signed.
 */
const consoleRecordSchema = z.strictObject({
  format: z.literal(RECORD_FORMAT),
  /** ISO 8601 with Z. */
  at: z.iso.datetime(),
  subject: line,
  /** Issuer and subject of the account, or how the session was opened. */
  account: line,
  action: line,
  /** The release, series or page that it was about. */
  about: line,
  outcome: z.enum(['done', 'refused']),
  /** Why it was refused: a code; null for what was done. */
  code: line.nullable(),
});

export type ConsoleRecord = z.output<typeof consoleRecordSchema>;

/** Keeps a record under a name of its own; what is longer than a line is cut. */
export async function keepConsoleRecord(
  store: ObjectStore,
  record: Omit<ConsoleRecord, 'format' | 'at'>,
  now: Date = new Date(),
): Promise<void> {
  const cut = Object.entries(record).map(([field, value]) => [field, value?.slice(0, 300) ?? null]);
  const at = now.toISOString();
  const name = `${at.replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
  const bytes = jsonBytes({ format: RECORD_FORMAT, at, ...Object.fromEntries(cut) });
  await store.putIfAbsent(RELEASE_KEYS.consoleRecord(name), bytes);
}

const DAY_MS = 86_400_000;

/** The newest records of the last days, the newest first, at most `most`. What has another form is left out. */
export async function readConsoleRecords(
  store: ObjectStore,
  { days, most }: { days: number; most: number },
  now: Date = new Date(),
): Promise<ConsoleRecord[]> {
  const records: ConsoleRecord[] = [];
  for (let ago = 0; ago < days && records.length < most; ago++) {
    const day = new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
    const keys = await keysBelow(store, RELEASE_KEYS.consoleRecords(day));
    for (const key of keys.reverse().slice(0, most - records.length)) {
      const bytes = await readBytesIfPresent(store, key);
      const { data } = consoleRecordSchema.safeParse(jsonOrNull(bytes?.toString('utf8') ?? ''));
      if (data) records.push(data);
    }
  }
  return records;
}
