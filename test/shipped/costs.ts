import { readdir, readFile } from 'node:fs/promises';

/** What one release has used, as it was measured. */
export type ReleaseUse = {
  partitions: number;
  /** Processor seconds of all processes of a side. */
  privateSeconds: number;
  publicSeconds: number;
  /** Requests to the S3 server that write or list, and that read. */
  writes: number;
  reads: number;
  /** Bytes that stay, by bucket, and those of the private bucket that may go when the release has ended. */
  privateBytes: number;
  purgedBytes: number;
  releaseBytes: number;
  publicationBytes: number;
  /** What Temporal's two databases grew by. */
  databaseBytes: number;
};

/**
 * Prices of a year's list of a large provider, in dollars: they are for orders of magnitude. A reader puts in other ones.
 * An hour of a processor, a thousand requests that write or list and that read, a gigabyte for a month.
 */
const PRICES = { processorHour: 0.05, writes: 0.005, reads: 0.0004, gigabyteMonth: 0.023 };

const WEEKS = 52;

const MB = (bytes: number): string => (bytes / 1e6).toFixed(2);
const dollars = (amount: number): string => (amount < 1 ? amount.toFixed(3) : amount.toFixed(0));

/** The lines of the page: what a release used, and what follows for a year of them. */
export function costLines(use: ReleaseUse): string {
  const stored = use.privateBytes - use.purgedBytes + use.releaseBytes + use.publicationBytes;
  const row = (what: string, value: number, show: (of: number) => string, price: number): string =>
    `| ${what} | ${show(value)} | ${show(value * WEEKS)} | ${dollars(price)} |`;
  const seconds = use.privateSeconds + use.publicSeconds;
  // What is stored in the middle of the year is there for half of it; everything stays after it.
  const storage = ((stored * WEEKS) / 1e9) * 6 * PRICES.gigabyteMonth;
  const processor = (seconds * WEEKS * PRICES.processorHour) / 3600;
  const writes = (use.writes * WEEKS * PRICES.writes) / 1000;
  const reads = (use.reads * WEEKS * PRICES.reads) / 1000;
  const sum = processor + writes + reads + storage;
  const whole = (of: number): string => of.toFixed(0);
  return [
    '| used | by a release | by a series in a year | $ a year |',
    '|---|---|---|---|',
    row('processor seconds, private side', use.privateSeconds, whole, (use.privateSeconds / seconds) * processor),
    row('processor seconds, public side', use.publicSeconds, whole, (use.publicSeconds / seconds) * processor),
    row('requests that write or list', use.writes, whole, writes),
    row('requests that read', use.reads, whole, reads),
    row('MB that stay in the three buckets', stored, MB, storage),
    row('MB in the private bucket until `purge`', use.purgedBytes, MB, 0),
    row('MB in Temporal, until its retention', use.databaseBytes, MB, 0),
    `| all | | | ${dollars(sum)} |`,
    '',
    `The release: one week of the demo, ${use.partitions} partitions. Prices: $ ${PRICES.processorHour} for an hour of a processor, $ ${PRICES.writes} for a thousand requests that write or list, $ ${PRICES.reads} for a thousand that read, $ ${PRICES.gigabyteMonth} for a gigabyte and month. A thousand such series cost $ ${dollars(sum * 1000)} a year, and ${whole(((seconds * 1000 * WEEKS) / 86_400 / 365.25) * 100)} % of one processor; what costs is to keep hosts, database and server running.`,
  ].join('\n');
}

/** Processor seconds that a process and all that it has started used until now, those that ended included. */
export async function processorSeconds(root: number): Promise<number> {
  const parents = new Map<number, { parent: number; ticks: number }>();
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (text === null) continue;
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // utime, stime, and those of children that were waited for: fields 14 to 17 of proc(5).
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0);
    parents.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  const isOf = (pid: number): boolean => pid === root || (parents.has(pid) && isOf(parents.get(pid)!.parent));
  const own = [...parents].filter(([pid]) => isOf(pid));
  return own.reduce((sum, [, { ticks }]) => sum + ticks, 0) / 100;
}
