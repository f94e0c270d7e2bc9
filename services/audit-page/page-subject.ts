import type { Certificate } from '../../contracts/certificate.ts';
import { certainNoise, type TableNoise } from '../../counts/audit/checks/declared-noise.ts';
import { riskiest } from '../../counts/audit/checks/presence.ts';
import type { Difference } from '../../foreign-audit/foreign-differences.ts';
import type { ForeignSubject } from '../../foreign-audit/foreign-subject.ts';
import { pickDrawnRows } from '../../foreign-audit/foreign-table.ts';
import { notLearnt } from '../../foreign-audit/not-learnt.ts';

/** The section of a statement, and of an audit page, that says how much of all taps a release shows. */
export const SHOWN_HEADING = 'How much of all taps it shows';

/** The section of both that has the totals of its days beside those of the weeks before. */
export const DAYS_HEADING = 'Its days beside those before';

/** How much of all taps a release shows, for people: sentences, and a table with a row for each mode. */
export type ShownTable = { sentences: string[]; headings: string[]; rows: string[][] };

/** What is known about the noise of one table that was drawn by itself: as certified, as declared, or as it shows. */
export type DrawnTable = {
  /** Its name; null for the cells of a release, which is the only one. */
  name: string | null;
  noise: TableNoise;
  /** δ as declared; null when nobody declares it. */
  delta: string | null;
};

/** What the audit page is about: a release under its certificate, or a publication of any origin. All of it is public. */
export type AuditPageSubject = {
  kind: 'release' | 'publication';
  title: string;
  /** What is covered, in a sentence or two. */
  cover: string;
  drawn: readonly DrawnTable[];
  /** Null without one, and where there are several. */
  certificate: Certificate | null;
  /** Totals that can be taken apart. */
  differences: readonly Difference[];
  /** How much of all taps a release shows; null for other publications. */
  shown: ShownTable | null;
  /** The totals of its days beside those before; absent where nothing was compared. */
  days?: ShownTable | null;
  /** What the audit could not find out, or rests on; each in a few words. */
  gaps: readonly string[];
};

/** What the page says of a release besides its audit. */
export type ReleaseFacts = {
  title: string;
  privacy: { domain: { modes: string[]; days: string[] }; holes: string[] };
  shown: ShownTable;
};

/** A release of ours: everything follows from its certificate. */
export const releaseSubject = (certificate: Certificate, { title, privacy, shown }: ReleaseFacts): AuditPageSubject => {
  const { domain, holes } = privacy;
  const gaps = holes.length === 0 ? '' : ` There is no data for ${holes.join(', ')}.`;
  return {
    kind: 'release',
    title,
    cover: `The release covers ${domain.modes.join(', ')} ${daysInWords(domain.days)}.${gaps}`,
    drawn: [{ name: null, noise: certainNoise(certificate), delta: certificate.deltaUpper }],
    certificate,
    differences: [],
    shown,
    gaps: certificate.assumptions,
  };
};

/** A publication of any origin: what is declared of its tables, and what they give away. */
export function publicationSubject(title: string, subject: ForeignSubject): AuditPageSubject {
  const { tables } = subject;
  const draws = tables.filter((table) => pickDrawnRows(table).length > 0);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const days = [...new Set(tables.flatMap((table) => [...new Set(table.rows.map(({ day }) => day))]))].sort();
  const certificates = new Set(tables.map(({ declared }) => declared.certificate));
  return {
    kind: 'publication',
    title,
    cover: `${tables.length === 1 ? '1 table' : `${tables.length} tables`} with ${rows === 1 ? '1 count' : `${rows} counts`} ${daysInWords(days)}.`,
    drawn: draws.map(({ name, noise, declared: { certificate, delta } }) => ({
      name: certificate && draws.length === 1 ? null : name,
      noise,
      delta: certificate?.deltaUpper ?? (delta === null ? null : `${delta}`),
    })),
    certificate: certificates.size === 1 ? [...certificates][0]! : null,
    differences: subject.differences,
    shown: null,
    gaps: notLearnt(subject),
  };
}

const daysInWords = (days: readonly string[]): string => {
  const [first, last] = [days[0], days.at(-1)];
  return first === last ? `on ${first}` : `from ${first} to ${last}`;
};

/** The table in which one person risks most; null when none was drawn, or every cell is there anyway. */
export const riskiestTable = (tables: readonly DrawnTable[]): DrawnTable | null =>
  riskiest(tables.filter(({ noise }) => noise.threshold !== null));

/** Characters of a label in a drawing at most: it is not measured there, and is as wide as a phone. */
const LONGEST_LABEL = 30;

/** A name with its middle left out where it is too long for a drawing; its start and its end distinguish files. */
export const labelOf = (name: string): string =>
  name.length <= LONGEST_LABEL ? name : `${name.slice(0, LONGEST_LABEL / 2 - 1)}…${name.slice(-LONGEST_LABEL / 2)}`;

/** ` in NAME`, or nothing where there is one table only. */
export const inTable = ({ name }: DrawnTable): string => (name === null ? '' : ` in ${name}`);
