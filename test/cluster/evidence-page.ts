import { readFileSync } from 'node:fs';
import { withSection } from '../../bench/measured-parts.ts';
import { type Evidence, originLine } from '../support/evidence.ts';
import type { DrillRow } from './drill-bench.ts';
import type { SizeRow } from './size-drills.ts';

/** What a run of the drills says of itself, and its rows. */
export type DrillEvidence = {
  /** Versions of what was run, by name. */
  versions: Record<string, string>;
  /** Whether the hosts had networks of their own. */
  networks: boolean;
  /** By the name of the drill, in the order of the page. */
  drills: Record<string, DrillRows>;
};

/** What came of one drill, of which code, and how long it took; absent: it was not measured. */
export type DrillRows = { commit: string; code: string; minutes?: number; rows: DrillRow[]; sizes: SizeRow[] };

/** A row on the page names its commit: drills run one by one, and their code goes on meanwhile. */
const rowsOf = <Row extends object>(drills: DrillEvidence['drills'], field: 'rows' | 'sizes') =>
  Object.values(drills).flatMap(({ commit, [field]: rows }) =>
    (rows as unknown as Row[]).map((row) => ({ ...row, commit: `\`${commit.slice(0, 8)}\`` })),
  );

const COLUMNS = {
  releases: 'releases',
  published: 'published',
  lost: 'lost',
  doubled: 'doubled',
  differing: 'differing files',
  raw: 'raw files left',
  readable: 'readable by others',
  persons: 'persons needed',
  seconds: 'seconds after',
  commit: 'commit',
} satisfies Partial<Record<keyof DrillRow | 'commit', string>>;

const SIZES = {
  partitions: 'partitions',
  seconds: 'seconds',
  processorMs: 'processor time of a partition, ms',
  events: 'events of the longest history',
  historyKB: 'its kB',
  privateMiB: 'memory of a private worker, MiB',
  publicMiB: 'of a public one',
  commit: 'commit',
} satisfies Partial<Record<keyof SizeRow | 'commit', string>>;

/** A table in Markdown: `titles` of columns by their fields, after some fields that are words. */
function tableOf<Row extends object>(
  words: readonly (keyof Row & string)[],
  titles: Partial<Record<keyof Row, string>>,
  rows: readonly Row[],
): string {
  const fields = [...words, ...(Object.keys(titles) as (keyof Row & string)[])];
  const lines = [
    fields.map((field) => titles[field] ?? field),
    fields.map((field) => (words.includes(field) ? '---' : '--:')),
  ];
  return [...lines, ...rows.map((row) => fields.map((field) => row[field] ?? ''))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** What was lost or away, by drill; null: each event is a loss of its own. */
const LOSSES: Record<string, string | null> = {
  droppedDatabase: "Temporal's databases, dropped",
  restoredDatabase: "Temporal's databases, set back to a dump",
  splitBrain: "Temporal's databases, and the old ones come back beside new ones",
  lostStores: null,
  fullOutages: null,
  killHosts: 'a host, killed',
  cutCables: 'the network of a host',
};

/** RPO and RTO as the drills found them: of drills in which nothing was lost, the longest time to the publication. */
function recoveries(drills: DrillEvidence['drills']): string {
  const lines = Object.entries(LOSSES).flatMap(([name, lost]) => {
    const all = drills[name]?.rows ?? [];
    return [...Map.groupBy(all, ({ drill, event }) => lost ?? `${drill}: ${event}`)].map(([what, rows]) => {
      const isWhole = rows.every((row) => row.lost + row.doubled + row.differing === 0);
      const givenUp = rows.reduce((sum, row) => sum + (row.givenUp ?? 0), 0);
      const kept = givenUp === 0 ? 'none (RPO 0)' : `${givenUp} charges since the backup, with their draws`;
      const longest = Math.max(...rows.map(({ seconds }) => seconds));
      return `| ${what} | ${isWhole ? kept : 'some: see the rows'} | ${longest} |`;
    });
  });
  return [
    '| lost, or away | draws and charges lost | longest until the publication, s (RTO) |',
    '|---|---|--:|',
    ...lines,
  ].join('\n');
}

/** How long the drills of each commit took, each and together. */
const durations = (drills: DrillEvidence['drills']): string =>
  [...Map.groupBy(Object.entries(drills), ([, { commit }]) => commit)]
    .flatMap(([commit, all]) => {
      const timed = all.flatMap(([name, { minutes }]) => (minutes === undefined ? [] : [{ name, minutes }]));
      if (timed.length === 0) return [];
      const sum = Math.round(timed.reduce((total, { minutes }) => total + minutes, 0));
      const each = timed.map(({ name, minutes }) => `\`${name}\` ${minutes}`).join(', ');
      return `Minutes at commit \`${commit.slice(0, 8)}\`, ${sum} together: ${each}.`;
    })
    .join('\n\n');

/** docs/cluster.md with the tables that its evidence has. */
export function clusterPage(evidence: Evidence, changed: boolean): string {
  const { versions, networks, drills } = evidence.rows as DrillEvidence;
  const [rows, sizes] = [rowsOf<DrillRow>(drills, 'rows'), rowsOf<SizeRow>(drills, 'sizes')];
  const tables = [tableOf(['drill', 'event'], COLUMNS, rows), tableOf(['what'], SIZES, sizes)];
  const where = networks ? 'Each host had a network of its own.' : 'Both hosts were on loopback.';
  const what = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const text = [
    tables[0],
    recoveries(drills),
    ...(sizes.length > 0 ? tables.slice(1) : []),
    ...[durations(drills)].filter(Boolean),
    `${what.join(', ')}. ${where} ${originLine(evidence, changed)}`,
  ].join('\n\n');
  return withSection(readFileSync(new URL('../../docs/cluster.md', import.meta.url), 'utf8'), 'drills', text);
}
