import type { PublicKnowledge } from '../counts/audit/subject.ts';
import { differences } from './foreign-differences.ts';
import { recoverScale, smallestCount, withNoise } from './foreign-noise.ts';
import type { ForeignTable } from './foreign-table.ts';
import { equalPairs, findPairs } from './pairs.ts';

/** A publication of any origin, and what everybody can know besides. Without a solver totals are not solved together. */
export type ForeignPublication = Pick<PublicKnowledge, 'services' | 'timetable' | 'solve'> & {
  name: string;
  tables: readonly ForeignTable[];
  /** Names of files that came with the tables and hold no counts. */
  leftOut: readonly string[];
};

/** A publication with what its tables give away of their noise. */
export type ForeignSubject = ReturnType<typeof foreignSubject>;

export function foreignSubject(publication: ForeignPublication) {
  const { services } = publication;
  const bare = publication.tables.filter(
    ({ kind, declared }) => kind === 'time-location' && declared.scale === null && declared.certificate === null,
  );
  const thresholds = bare.map((table) => table.declared.threshold ?? smallestCount(table) ?? 1);
  const estimate = bare.length > 0 ? recoverScale(Math.max(...thresholds), equalPairs(bare, services)) : null;
  const tables = withNoise(publication.tables, estimate);
  return {
    ...publication,
    tables,
    pairs: equalPairs(tables, services),
    /** Pairs of the tables whose noise is declared. */
    declared: findPairs(tables, services),
    /** The scale of the time-location tables whose noise nobody declares, from pairs of equal truth. */
    recovered: estimate,
    /** Every total that can be taken apart. */
    differences: differences(tables),
  };
}
