import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePerformance } from './measured-parts.ts';
import { inFolder, markdownTable, medianOf } from './measuring.ts';
import { OYSTER, oysterWeek, WAYS, type Way } from './privatize/oyster-week.ts';

/**
 * Time and memory of privatize on the Oyster week under floors beside the stability histogram, each in a process of its
 * own, in turn. Run with `node bench/privatize.bench.ts`; it takes some minutes and writes its part of
 * docs/performance.md. Without the real data it says so and writes nothing.
 */
const RUNS = 3;
const NAMES = Object.keys(WAYS) as Way[];
const CHILD = fileURLToPath(new URL('privatize/draw-week.child.ts', import.meta.url));

type Use = { seconds: number; mostMiB: number };

/** Draws what is binned below the folder, as if for the first time. */
async function drawn(root: string, way: Way): Promise<Use> {
  for (const before of ['private/privatized', 'private/draws', 'release/privatized'])
    await rm(join(root, before), { recursive: true, force: true });
  const child = spawnSync(process.execPath, [CHILD, root, way], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Use;
}

await inFolder(async (root) => {
  if (!existsSync(OYSTER))
    return console.log('The Oyster week is not present (set OPALINE_DATA). docs/performance.md is left as it is.');
  for (const way of NAMES) await (await oysterWeek(join(root, way), way)).through('bin');
  const runs: Use[][] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const uses: Use[] = [];
    for (const way of NAMES) uses.push(await drawn(join(root, way), way));
    runs.push(uses);
  }
  const medians = (field: keyof Use) => NAMES.map((_, place) => medianOf(runs.map((uses) => uses[place]![field])));
  const [seconds, mib] = [medians('seconds'), medians('mostMiB')];
  const rows = NAMES.map((way, place) => [way, seconds[place]!.toFixed(1), mib[place]!.toFixed(0)]);
  const ratios = [seconds, mib].map(([first, second]) => (second! / first!).toFixed(2));
  const text = `All partitions of the Oyster week (2,861,597 taps, 3,544,002 cells of the public domain, 517,223 with taps) through the
activity, one after the other, medians of ${RUNS} runs in turn.

${markdownTable(['mechanism', 'seconds of processor time', 'most resident memory, MiB'], [...rows, ['ratio', ...ratios]])}`;
  console.log(text);
  writePerformance({ privatize: text });
});
