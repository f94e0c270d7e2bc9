import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePerformance } from './measured-parts.ts';
import { markdownTable, medianOf } from './measuring.ts';
import { OYSTER, oysterWeek, WAYS, type Way } from './privatize/oyster-week.ts';

/**
 * Time and memory of privatize on the Oyster week under floors beside the stability histogram, each in a process of its
 * own, in turn. Run with `node bench/privatize.bench.ts`; it takes some minutes and writes its part of
 * docs/performance.md. Without the real data it says so and writes nothing.
 */
const RUNS = 3;
const NAMES = Object.keys(WAYS) as Way[];

type Use = { cpuMs: number; mostMiB: number };

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Draws what is binned below the folder, as if for the first time. */
async function drawn(root: string, way: Way): Promise<Use> {
  for (const drawnBefore of ['private/privatized', 'private/draws', 'release/privatized'])
    await rm(join(root, drawnBefore), { recursive: true, force: true });
  const child = spawnSync(process.execPath, [file('privatize/draw-week.child.ts'), root, way], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Use;
}

async function measured(root: string): Promise<Record<Way, Use>> {
  for (const way of NAMES) await (await oysterWeek(join(root, way), way)).through('bin');
  const uses: Record<Way, Use[]> = { 'stability histogram': [], 'complete domain with floors': [] };
  for (let run = 0; run < RUNS; run += 1) for (const way of NAMES) uses[way].push(await drawn(join(root, way), way));
  const median = (way: Way, field: keyof Use): number => medianOf(uses[way].map((use) => use[field]));
  return Object.fromEntries(
    NAMES.map((way) => [way, { cpuMs: median(way, 'cpuMs'), mostMiB: median(way, 'mostMiB') }]),
  ) as Record<Way, Use>;
}

function textOf(uses: Record<Way, Use>): string {
  const [first, second] = NAMES.map((way) => uses[way]) as [Use, Use];
  const ratio = (field: keyof Use): string => (second[field] / first[field]).toFixed(2);
  const rows = NAMES.map((way) => [way, (uses[way].cpuMs / 1000).toFixed(1), uses[way].mostMiB.toFixed(0)]);
  rows.push(['ratio', ratio('cpuMs'), ratio('mostMiB')]);
  return `All partitions of the Oyster week (2,861,597 taps, 3,544,002 cells of the public domain, 517,223 with taps) through the
activity, one after the other, medians of ${RUNS} runs in turn.

${markdownTable(['mechanism', 'seconds of processor time', 'most resident memory, MiB'], rows)}`;
}

if (!existsSync(OYSTER)) {
  console.log('The Oyster week is not present (set OPALINE_DATA). docs/performance.md is left as it is.');
} else {
  const root = await mkdtemp(join(tmpdir(), 'opaline-privatize-'));
  try {
    const text = textOf(await measured(root));
    console.log(text);
    await writePerformance({ privatize: text });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
