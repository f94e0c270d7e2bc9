import type { RandomSource } from '../../../core/random/random-source.ts';
import type { MechanismUnderNoise } from '../../../counts/audit/mechanism/interference.ts';
import { certifiedNoise, drawTableWith, fitRemainder, type Noise } from '../../support/draw-rows.ts';
import type { RowSubject } from '../../support/row-subject.ts';
import type { ShadowMechanism } from '../../support/shadow-run.ts';
import type { Margins, TableRows } from '../../support/table-of-rows.ts';
import { CERTIFICATE, COUNTS, DOMAIN, type Draw, type Guarantee, honestDraw } from '../honest-release.fixture.ts';

/** A broken release or mechanism, and the check that is there to catch it. */
export type Mutant = {
  check: string;
  name: string;
  /** What it is certified as; the production certificate of the harness when left out. */
  guarantee?: Guarantee;
  /** How this version and the one before are drawn, each by a call of its own with one source and one seed. */
  draw?: (random: RandomSource, seed: number) => Draw;
  subject?: (subject: RowSubject, random: RandomSource) => RowSubject;
  mechanism?: (random: RandomSource, seed: number) => ShadowMechanism;
  /** The mechanism where noise is handed in. */
  underNoise?: MechanismUnderNoise;
  /** Shadow tables that are needed to notice it, where the usual number is too small. */
  tables?: number;
};

export const knowing = (change: Partial<RowSubject['knowledge']>) => (subject: RowSubject) => ({
  ...subject,
  knowledge: { ...subject.knowledge, ...change },
});

export const withTables =
  (change: (tables: RowSubject['tables']) => Partial<RowSubject['tables']>) => (subject: RowSubject) => ({
    ...subject,
    tables: { ...subject.tables, ...change(subject.tables) },
  });

type ChangedNoise = (noise: Noise, random: RandomSource) => Partial<Noise>;

/** The production mechanism with noise that somebody changed. */
export const noisy =
  (change: ChangedNoise, certificate = CERTIFICATE) =>
  (random: RandomSource): ShadowMechanism =>
  (partition, counts, domain) => {
    const noise = certifiedNoise(certificate, random);
    return drawTableWith({ ...noise, ...change(noise, random) }, partition, counts, domain, certificate);
  };

/** A release that was drawn with noise that somebody changed. */
export const noisyDraw =
  (change: ChangedNoise) =>
  (random: RandomSource): Draw =>
  (partition) => {
    const noise = certifiedNoise(CERTIFICATE, random);
    return drawTableWith({ ...noise, ...change(noise, random) }, partition, COUNTS, DOMAIN, CERTIFICATE);
  };

/** A draw that is changed before the remainder is fitted: every table agrees with every other. */
export const redrawn =
  (change: (table: TableRows) => { cells?: TableRows['cells']; margins?: Margins }) =>
  (random: RandomSource): Draw =>
  (partition) => {
    const honest = honestDraw(random)(partition);
    const table = { ...honest, ...change(honest) };
    const { cells, margins } = table;
    const fit = margins && fitRemainder({ cells, hours: [], margins }, CERTIFICATE.marginScales);
    return { ...table, remainder: fit && { fit: 'level', ...fit } };
  };

/** Margins that are drawn with a change. */
export const withMargins = (change: (kind: 'time' | 'location', key: string) => number) =>
  redrawn(({ margins }) => {
    const moved = (kind: 'time' | 'location') =>
      margins![kind].map(([tap, key, count]): Margins['time'][number] => [tap, key, count + change(kind, key)]);
    return { margins: { time: moved('time'), location: moved('location') } };
  });
