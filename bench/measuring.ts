import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TopLevelSpec } from 'vega-lite';
import { svgOf } from '../services/pages/drawing.ts';

/** The result of work in a folder that goes with it. */
export async function inFolder<T>(work: (folder: string) => Promise<T>, parent = tmpdir()): Promise<T> {
  const folder = await mkdtemp(join(parent, 'opaline-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds between two looks at the memory. */
const LOOK_MS = 50;

/** Seconds of the clock, those of the processor in all threads, and the highest resident memory of this process. */
export type WorkUse = { seconds: number; processorSeconds: number; residentMiB: number };

/** What a piece of work uses, and its result. */
export async function measure<T>(work: () => Promise<T>): Promise<[WorkUse, T]> {
  let resident = 0;
  const look = (): void => {
    resident = Math.max(resident, process.memoryUsage.rss());
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    const [begin, before] = [performance.now(), process.cpuUsage()];
    const result = await work();
    const seconds = (performance.now() - begin) / 1000;
    const { user, system } = process.cpuUsage(before);
    look();
    return [{ seconds, processorSeconds: (user + system) / 1e6, residentMiB: resident / 2 ** 20 }, result];
  } finally {
    clearInterval(timer);
  }
}

/** A number that the command line gives, or the usual one. Throws TypeError unless it is positive. */
export function numberGiven(place: number, usual: number): number {
  const number = Number(process.argv[place + 2] ?? usual);
  if (number > 0) return number;
  throw new TypeError(`${process.argv[place + 2]} is no positive number`);
}

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

export const medianOf = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;

/** A table of a page: the first columns are texts, `texts` of them, and the others are numbers. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string =>
  [head, head.map((_, column) => (column < texts ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Writes docs/pictures/NAME.svg; `label` says what it shows to whoever does not see it. */
export async function writePicture(name: string, label: string, spec: TopLevelSpec): Promise<void> {
  const config = { aria: false, font: 'system-ui, sans-serif', view: { stroke: null } } as const;
  const picture = await svgOf({ background: 'white', ...spec, config });
  const svg = picture.replace('<svg ', `<svg role="img" aria-label="${label}" `);
  await writeFile(new URL(`../docs/pictures/${name}.svg`, import.meta.url), `${svg}\n`);
}
