import type { WEEKDAYS } from '../../contracts/series.ts';
import type { StoreConfiguration } from '../../contracts/store-configuration.ts';
import type { ExpectedDesign } from '../../counts/readers/proposed-design.ts';
import type { SampleEncoding, SampleFormat } from './sample-columns.ts';

/** A person who decides at the gate: with the public key that they have brought, or null, and then one is made here. */
export type NamedApprover = { subject: string; publicKey: string | null };

/** A design with what it shows in words; null where nobody knows how much there is. */
export type ProjectDesign = ExpectedDesign & { shows: string | null };

/** What people answer before a project folder is made. Nothing of it comes from a row. */
export type ProjectAnswers = {
  series: string;
  population: string;
  timeZone: string;
  organisation: string;
  title: string;
  licence: string;
  source: SampleFormat & {
    store: string;
    place: StoreConfiguration;
    pattern: string;
    encoding: SampleEncoding;
    delimiter: string;
    /** Column names of a CSV without a header row. */
    header: readonly string[] | null;
    /** May lines of such a CSV be shorter? */
    ragged: boolean;
    /** Where the rows of a JSON document are; null: it is not one. */
    json: { list?: string | undefined; first: string } | null;
    rows: 'trips' | 'taps';
    clock: string;
    /** Canonical column → column of the source. */
    columns: Readonly<Record<string, string>>;
    /** What a card id is; null where the unit is no card. */
    card: 'text' | 'number' | null;
  };
  modes: readonly string[];
  /** The public location list of each mode, as text, by the name of the file that it is kept in. */
  lists: { files: ReadonlyMap<string, string>; ofMode: ReadonlyMap<string, string> };
  window: { days: number; firstWeekday: (typeof WEEKDAYS)[number] } | { months: 1 };
  /** When a day begins on the clock, HH:MM. */
  starts: string;
  /** Bins and parameters, as they were proposed or chosen. */
  design: ProjectDesign;
  /** Taps of a week by a public figure; null where nobody knows. */
  expected: number | null;
  notes: readonly string[];
  custodians: readonly string[];
  approvers: readonly NamedApprover[];
  required: number;
  /** A root key that somebody keeps elsewhere (SPKI PEM), or null: one is made here. */
  rootKey: string | null;
};

/**
 * Why what is made is a trial that cannot be published as real: somebody would hold roles that exclude each other (C16).
 * Empty when every role is somebody else's.
 *
 * @contract C16
 */
export function conflicts({ custodians, approvers, rootKey }: ProjectAnswers): string[] {
  const both = approvers.filter(({ subject }) => custodians.includes(subject)).map(({ subject }) => subject);
  const madeHere = approvers.filter(({ publicKey }) => publicKey === null).map(({ subject }) => subject);
  return [
    ...both.map((subject) => `${subject} may see raw data and decides at the gate.`),
    ...madeHere.map((subject) => `The key of ${subject} is made here, beside the raw data.`),
    ...(rootKey === null ? ['The root key is made here: anyone who has it says who approves.'] : []),
  ];
}
