import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { curveOf, type Measured } from './throughput-text.ts';

const NAMES = { backfill: 'privatize', baseline: 'an activity that does nothing', target: '100 a second' };

/** Seconds over partitions, as SVG. */
export async function curvePlot({ backfill, baseline }: Measured): Promise<string> {
  const line = (series: string, points: { partitions: number; seconds: number }[]) =>
    [{ partitions: 0, seconds: 0 }, ...points].map((point) => ({ series, ...point }));
  const curve = curveOf(backfill.spans);
  const { partitions } = curve.at(-1)!;
  const values = [
    ...line(NAMES.backfill, curve),
    ...line(NAMES.baseline, curveOf(baseline.spans)),
    ...line(NAMES.target, [{ partitions, seconds: partitions / 100 }]),
  ];
  const spec: TopLevelSpec = {
    width: 560,
    height: 280,
    background: 'white',
    data: { values },
    mark: { type: 'line', strokeWidth: 2 },
    encoding: {
      x: { field: 'partitions', type: 'quantitative', title: 'partitions of one backfill' },
      y: { field: 'seconds', type: 'quantitative', title: 'seconds' },
      color: {
        field: 'series',
        type: 'nominal',
        title: null,
        sort: Object.values(NAMES),
        scale: { domain: Object.values(NAMES), range: ['#174c7c', '#8c8c8c', '#8a3412'] },
        legend: { orient: 'bottom', labelLimit: 300 },
      },
    },
    config: { aria: false, font: 'system-ui, sans-serif', view: { stroke: null } },
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  try {
    const label = 'Seconds in privatize over the number of partitions, beside activities that do nothing';
    return `${(await view.toSVG()).replace('<svg ', `<svg role="img" aria-label="${label}" `)}\n`;
  } finally {
    view.finalize();
  }
}
