import { FILES } from '../../contracts/names.ts';
import type { PrivatizedTable } from '../../contracts/privatized-table.ts';
import type { ShadowMechanism } from '../../core/audit/mechanism/shadow-counts.ts';
import type { AuditSubject } from '../../core/audit/subject.ts';
import { certify } from '../../core/certificate/certificate.ts';
import { ALL, type CountRow } from '../../core/derive/count-row.ts';
import { certifiedNoise, type Noise } from '../../core/mechanisms/noise.ts';
import { privatize, privatizeWith } from '../../core/mechanisms/privatize.ts';
import type { RandomSource } from '../../core/random/random-source.ts';
import { CERTIFICATE, COUNTS, DOMAIN, type Draw, honestDraw, PARAMETERS, THRESHOLD } from './honest-release.fixture.ts';

/** A broken release: the check that is there to catch it, and what is broken. */
export type Mutant = {
  check: string;
  name: string;
  /** Other checks that see it too. */
  seenBy?: string[];
  draw?: (random: RandomSource) => Draw;
  /** The earlier version; the same source as `draw` where noise is drawn again from the same seed. */
  subject?: (subject: AuditSubject) => AuditSubject;
  mechanism?: (random: RandomSource) => ShadowMechanism;
};

const knowing = (change: Partial<AuditSubject['knowledge']>) => (subject: AuditSubject) => ({
  ...subject,
  knowledge: { ...subject.knowledge, ...change },
});
const withTables =
  (change: (tables: AuditSubject['tables']) => Partial<AuditSubject['tables']>) => (subject: AuditSubject) => ({
    ...subject,
    tables: { ...subject.tables, ...change(subject.tables) },
  });
/** Margins that were drawn and published with a change: every table agrees with every other. */
const withMargins = (change: (row: CountRow, index: number) => number) => (subject: AuditSubject) => {
  const margins = subject.tables.margins!.map((row, index) => ({ ...row, count: row.count + change(row, index) }));
  return { ...subject, drawn: { ...subject.drawn!, margins }, tables: { ...subject.tables, margins } };
};

/** The production code with noise that somebody changed. */
const noisy =
  (change: (noise: Noise, random: RandomSource) => Partial<Noise>) =>
  (random: RandomSource): ShadowMechanism =>
  (partition, counts, domain) => {
    const noise = certifiedNoise(CERTIFICATE, random);
    return privatizeWith({ ...noise, ...change(noise, random) }, partition, counts, domain, CERTIFICATE);
  };

/** The production code under the certificate of another ε. */
const underEpsilon =
  (cells: string) =>
  (random: RandomSource): ShadowMechanism =>
  (...table) => {
    const other = certify({ ...PARAMETERS, epsilon: cells, split: { cells } });
    return privatize(...table, { ...CERTIFICATE, scale: other.scale }, random);
  };

const redrawnTable =
  (change: (table: PrivatizedTable) => PrivatizedTable) =>
  (random: RandomSource): Draw =>
  (partition) =>
    change(honestDraw(random)(partition));

/** For each check, a release that it has to catch. */
export const MUTANTS: Mutant[] = [
  {
    check: 'certificate',
    name: 'a certificate for another ε than that of the series',
    subject: (subject) => ({ ...subject, parameters: { ...subject.parameters, epsilon: '3' } }),
  },
  {
    check: 'presence',
    name: 'a δ that does not cover one person',
    seenBy: ['certificate', 'mechanism-epsilon'],
    subject: (subject) => ({ ...subject, certificate: { ...subject.certificate, deltaUpper: '1e-9' } }),
  },
  {
    check: 'accumulation',
    name: 'more draws of a day than the caps allow',
    subject: (subject) => knowing({ ledger: { ...subject.knowledge.ledger!, chances: 400 } })(subject),
  },
  {
    check: 'threshold',
    name: 'a cell just under the threshold',
    draw: redrawnTable((table) => ({
      ...table,
      cells: table.cells.map((cell, index) => (index === 0 ? [cell[0], cell[1], cell[2], THRESHOLD - 1] : cell)),
    })),
    seenBy: ['linear-bounds'],
  },
  {
    check: 'sums',
    name: 'a CSV with another count than the Parquet file',
    subject: withTables(({ timeLocation }) => ({
      timeLocation: timeLocation!.map((row, i) => (i === 0 ? { ...row, count: row.count + 1 } : row)),
    })),
  },
  {
    check: 'differencing',
    name: 'a time table with noise of its own',
    seenBy: ['sums'],
    subject: withTables(({ time }) => ({ time: time!.map((row, i) => ({ ...row, count: row.count + (i % 3) })) })),
  },
  {
    check: 'linear-bounds',
    name: 'totals that were moved from one time to another',
    subject: withMargins(({ time }) => (time === '07:00' ? 2000 : time === '08:15' ? -2000 : 0)),
  },
  {
    check: 'margin-noise',
    name: 'totals of times that count more than those of places',
    seenBy: ['linear-bounds'],
    subject: withMargins(({ time }) => (time === ALL ? 0 : 300)),
  },
  {
    check: 'scale',
    name: 'noise of eight times the scale',
    seenBy: ['linear-bounds', 'margin-noise', 'threshold'],
    draw: (random) => (partition) =>
      privatize(
        partition,
        COUNTS,
        DOMAIN,
        { ...CERTIFICATE, scale: certify({ ...PARAMETERS, epsilon: '2/5', split: { cells: '2/5' } }).scale },
        random,
      ),
  },
  {
    check: 'reuse',
    name: 'a new version with the noise of the old one',
    subject: (subject) => knowing({ earlier: [{ ...subject.knowledge.earlier[0]!, cells: subject.cells }] })(subject),
  },
  {
    check: 'dependence',
    name: 'a second draw that nobody was charged for',
    seenBy: ['differencing'],
    subject: (subject) => knowing({ ledger: { ...subject.knowledge.ledger!, charges: new Map() } })(subject),
  },
  {
    check: 'timetable-extremes',
    name: 'a cell that one ferry alone can feed',
    subject: (subject) =>
      knowing({ timetable: subject.knowledge.timetable.map((cell) => ({ ...cell, services: 1 })) })(subject),
  },
  {
    check: 'removed-rows',
    name: 'a share of removed rows in the reading guide',
    subject: (subject) => ({
      ...subject,
      texts: [{ file: FILES.privacy, texts: ['0.0005 % of the rows were removed.'] }],
    }),
  },
  {
    check: 'order',
    name: 'margins in the order of the input',
    seenBy: ['sums'],
    subject: withTables(({ margins }) => ({ margins: margins!.toReversed() })),
  },
  {
    check: 'domain',
    name: 'days that the series does not have',
    subject: (subject) => ({ ...subject, domains: new Map() }),
  },
  {
    check: 'metadata',
    name: 'a count in the Parquet footer',
    subject: (subject) => ({ ...subject, parquet: { ...subject.parquet, keyValues: 1 } }),
  },
  { check: 'holes', name: 'a day without data', subject: (subject) => ({ ...subject, holes: ['ferry/2026-03-05'] }) },
  {
    check: 'mechanism-epsilon',
    name: 'noise of half the scale',
    seenBy: ['mechanism-noise', 'mechanism-threshold', 'mechanism-independence'],
    mechanism: underEpsilon('32/5'),
  },
  {
    check: 'mechanism-noise',
    name: 'large counts with noise of 0.7 times the scale, up to a unit',
    seenBy: ['mechanism-epsilon', 'mechanism-independence', 'mechanism-threshold'],
    mechanism: noisy((noise) => ({ cell: (...key) => Math.round(0.7 * noise.cell(...key)) })),
  },
  {
    check: 'mechanism-threshold',
    name: 'a threshold that is one too low',
    mechanism:
      (random) =>
      (...table) =>
        privatize(...table, { ...CERTIFICATE, threshold: THRESHOLD - 1 }, random),
    seenBy: ['mechanism-epsilon'],
  },
  {
    check: 'mechanism-zeros',
    name: 'empty cells that are published',
    seenBy: ['mechanism-epsilon', 'mechanism-threshold'],
    mechanism:
      (random) =>
      (...table) => {
        const drawn = privatize(...table, CERTIFICATE, random);
        const { taps, times, locations } = table[2];
        const known = new Set(drawn.cells.map(([tap, time, location]) => `${tap} ${time} ${location}`));
        const all = taps.flatMap((tap) =>
          times.flatMap((time) => locations.map((location) => [tap, time, location] as const)),
        );
        const empty = all.filter((key) => !known.has(key.join(' ')));
        return {
          ...drawn,
          cells: [...drawn.cells, ...empty.map((key) => [...key, THRESHOLD] as [...typeof key, number])],
        };
      },
  },
  {
    check: 'mechanism-margins',
    name: 'totals without noise',
    mechanism: noisy(() => ({ time: () => 0 })),
  },
  {
    check: 'mechanism-independence',
    name: 'one draw for the two taps of a place',
    seenBy: ['mechanism-noise', 'mechanism-epsilon', 'mechanism-threshold'],
    mechanism: noisy((noise) => {
      const drawn = new Map<string, number>();
      return {
        cell: (tap, time, location) => {
          const value = drawn.get(time + location) ?? noise.cell(tap, time, location);
          drawn.set(time + location, value);
          return value;
        },
      };
    }),
  },
];
