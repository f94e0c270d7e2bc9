import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { PublishedError } from './published-error.ts';

/** One program on one size. */
export type PeerRun = PublishedError & { name: string; millions: number; seconds: number; mib: number };

/** The table of all runs, and the bare group-by of each size in seconds. */
export function peersTable(runs: readonly PeerRun[], groupBy: ReadonlyMap<number, number>): string {
  const rows = runs.map(({ name, millions, seconds, mib, rows, error }) => {
    const ratio = (seconds / groupBy.get(millions)!).toFixed(1);
    return `| ${millions} | ${name} | ${seconds.toFixed(1)} | ${ratio} | ${mib.toFixed(0)} | ${rows} | ${error.toFixed(2)} |`;
  });
  return [
    '| million trips | program | seconds | bare group-bys | MiB | rows published | mean error of a cell |',
    '|--:|---|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** Seconds over the size, for each program, as SVG. */
export async function peersPlot(runs: readonly PeerRun[]): Promise<string> {
  const spec: TopLevelSpec = {
    width: 560,
    height: 280,
    background: 'white',
    data: { values: runs.map(({ name, millions, seconds }) => ({ name, millions, seconds })) },
    mark: { type: 'line', strokeWidth: 2, point: true },
    encoding: {
      x: { field: 'millions', type: 'quantitative', title: 'million trips' },
      y: { field: 'seconds', type: 'quantitative', title: 'seconds', scale: { type: 'log' } },
      color: { field: 'name', type: 'nominal', title: null, legend: { orient: 'bottom', labelLimit: 300 } },
    },
    config: { aria: false, font: 'system-ui, sans-serif', view: { stroke: null } },
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  try {
    const label = 'Seconds over the number of trips, of Opaline and of its peers';
    return `${(await view.toSVG()).replace('<svg ', `<svg role="img" aria-label="${label}" `)}\n`;
  } finally {
    view.finalize();
  }
}
