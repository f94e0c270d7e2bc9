import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FILES, type Stage } from '../contracts/names.ts';
import { releaseFortnight } from '../test/scale/fortnight.fixture.ts';
import { providePython } from '../test/support/python-environment.ts';
import { writePerformance } from './measured-parts.ts';
import { type PeerRun, peersPlot, peersTable } from './peers/peers-text.ts';
import { publishedError } from './peers/published-error.ts';

/**
 * Opaline beside other programs that publish counts with differential privacy: the same files, unit (a trip, replaced:
 * four rows of taps), ε and δ. Opaline goes its whole way to staged tables; the others count. Run with
 * `node bench/peers.bench.ts [millions of trips …]`; it writes its part of docs/performance.md when no size is named.
 */
const named = process.argv.slice(2).map(Number);
const sizes = named.length > 0 ? named : [1, 3, 10];
if (!sizes.every((size) => size > 0)) throw new TypeError('a number of millions is positive');

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const [EPSILON, DELTA, ROWS_OF_A_TRIP] = ['8', '1e-6', '4'];
const STAGED: readonly Stage[] = ['ingest', 'bin', 'privatize', 'derive'];
const PEERS = [
  { name: 'OpenDP 0.16.0 on Polars', packages: ['opendp[polars]==0.16.0'], program: 'opendp' },
  { name: 'Tumult Analytics 0.21.0', packages: ['tmlt.analytics==0.21.0'], program: 'tumult' },
];
/** A peer that takes longer on one size is not asked for a larger one. */
const LONGEST_MS = 120_000;

const runs: PeerRun[] = [];
const groupBys = new Map<number, number>();
const notes: string[] = [];
const ended = new Set<string>();

for (const millions of sizes) {
  const { uses, groupBy } = await releaseFortnight(millions * 1e6, {
    split: null,
    look: async ({ source, publication }) => {
      runs.push({
        ...{ name: 'Opaline', millions, seconds: 0, mib: 0 },
        ...(await publishedError(source, join(publication, FILES.table('time-location')))),
      });
      for (const { name, packages, program } of PEERS) {
        if (ended.has(name)) continue;
        const environment = await providePython(program, packages);
        if ('missing' in environment) {
          ended.add(name);
          notes.push(`${name}: ${environment.missing}.`);
          continue;
        }
        const output = join(source, '..', `${program}.csv`);
        const words = [file(`peers/count_with_${program}.py`), source, EPSILON, DELTA, ROWS_OF_A_TRIP, output];
        // Spark leaves tables where it runs: they go with the source.
        const options = { timeout: LONGEST_MS, cwd: join(source, '..') };
        const answer = await promisify(execFile)(environment.python, words, options).catch(() => null);
        if (answer) {
          const { seconds, mib } = JSON.parse(answer.stdout.trim().split('\n').at(-1)!) as Pick<
            PeerRun,
            'seconds' | 'mib'
          >;
          runs.push({ name, millions, seconds, mib, ...(await publishedError(source, output)) });
        } else {
          ended.add(name);
          notes.push(`${name}: ${millions} million trips failed, or took longer than ${LONGEST_MS / 60_000} minutes.`);
        }
      }
    },
  });
  groupBys.set(millions, groupBy.seconds);
  const own = runs.find((run) => run.name === 'Opaline' && run.millions === millions)!;
  own.seconds = STAGED.reduce((sum, stage) => sum + (uses.get(stage)?.seconds ?? 0), 0);
  own.mib = Math.max(...STAGED.map((stage) => uses.get(stage)?.residentMiB ?? 0));
  console.log(`${peersTable(runs, groupBys)}\n${notes.join('\n')}`);
  // After each size: what was measured stays when a larger one is broken off.
  if (named.length === 0) await write();
}

async function write(): Promise<void> {
  const said = notes.map((note) => `- ${note}`).join('\n');
  const plot = '![Seconds over the number of trips, of Opaline and of its peers](pictures/peers.svg)';
  const text = [peersTable(runs, groupBys), said, plot].filter((part) => part !== '').join('\n\n');
  await writeFile(file('../docs/pictures/peers.svg'), await peersPlot(runs));
  await writePerformance({ peers: text });
}
