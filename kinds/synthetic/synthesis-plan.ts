import { OpalineError } from '../../contracts/errors.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { compare, divide, parseRational, rational, ZERO } from '../../core/rational/rational.ts';
import { readDelta, readEpsilon } from '../../counts/certificate/amounts.ts';
import type { SyntheticCertificate } from './certified-rows.ts';
import { certifySynthetic } from './mechanism/synthetic-certificate.ts';
import type { SyntheticPrivacy } from './mechanism/synthetic-privacy.ts';
import type { SyntheticPlan } from './mechanism/transcript.ts';
import { MOST_CELLS } from './mechanism/weights.ts';
import { cellsOf, cellsOfMarginal, type DomainShape, type Marginal } from './mechanism/workload.ts';
import type { SyntheticFile, SyntheticSeries } from './series.ts';

/** Cells of all partitions of a release. */
const MOST_WINDOW_CELLS = 2_000_000;
/** Cells of all marginals of a workload. */
const MOST_ASKED = 200_000;
/** Weights that are looked at for one partition: about a minute. */
const MOST_STEPS = 20_000_000_000;

type Asked = Pick<SyntheticFile, 'privacy' | 'parts' | 'rounds'> & { window: { days: number } };

/** What a series promises for one row. */
export function syntheticPrivacy({ privacy, parts, rounds, window }: Asked): SyntheticPrivacy {
  const epsilon = readEpsilon(privacy.epsilon);
  const share = privacy.split.rows;
  return {
    neighbours: privacy.neighbours,
    epsilon,
    partitions: parts.length * window.days,
    rounds,
    rowsShare:
      privacy.neighbours === 'replace-one'
        ? null
        : share === undefined
          ? divide(epsilon, rational(10n))
          : parseRational(share),
  };
}

/** The certificate of a series. Throws CERTIFICATE_IMPOSSIBLE. */
export function certificateOfSynthesis(series: Asked): SyntheticCertificate {
  const { unit, chosenOn, delta } = series.privacy;
  if (compare(readDelta(delta), ZERO) > 0)
    throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'Synthetic data has δ = 0; write delta: 0.');
  return certifySynthetic({ ...syntheticPrivacy(series), unit, chosenOn });
}

/** The marginals of a workload; an attribute that is asked in ranges comes last, and its last value has no order. */
export const marginalsOf = (
  { attributes, workload }: Pick<SyntheticFile, 'attributes' | 'workload'>,
  shape: DomainShape,
): Marginal[] => {
  const place = (name: string): number => attributes.findIndex((one) => one.name === name);
  return workload.map(({ cells, ranges }) => ({
    attributes: [...cells.filter((name) => name !== ranges), ...(ranges === undefined ? [] : [ranges])].map(place),
    ordered: ranges === undefined ? 0 : shape[place(ranges)]! - 1,
  }));
};

/** What is public of the draw of a partition of one part. */
export const planOf = (series: SyntheticSeries, part: string): SyntheticPlan => ({
  shape: series.shape,
  marginals: marginalsOf(series, series.shape),
  rounds: series.rounds,
  passes: series.passes,
  rows: series.privacy.rows?.[part] ?? null,
});

/** Why a domain or a workload cannot be drawn for this number of partitions, in a sentence; null when it can. */
export function sizeProblem(
  { shape, marginals, rounds, passes }: Omit<SyntheticPlan, 'rows'>,
  partitions: number,
): string | null {
  const isOfDomain = ({ attributes, ordered }: Marginal): boolean =>
    attributes.every((attribute) => attribute in shape) &&
    new Set(attributes).size === attributes.length &&
    ordered <= shape[attributes.at(-1)!]!;
  if (!marginals.every(isOfDomain)) return 'The workload is not of the domain; name each of its attributes once.';
  const cells = cellsOf(shape);
  const load = marginals.reduce((sum, one) => sum + cellsOfMarginal(shape, one), 0);
  const steps = cells * rounds * (1 + (passes * (rounds + 1)) / 2);
  if (cells > MOST_CELLS)
    return `The domain has ${cells} cells, and at most ${MOST_CELLS} are drawn; take coarser values.`;
  if (cells * partitions > MOST_WINDOW_CELLS)
    return `A release has ${cells * partitions} cells, and at most ${MOST_WINDOW_CELLS} are published; take fewer days.`;
  if (load > MOST_ASKED) return `The workload has ${load} cells, and at most ${MOST_ASKED} are asked; ask for less.`;
  if (steps > MOST_STEPS) return 'The weights would take too long to fit; take fewer cells, rounds or passes.';
  return null;
}

/**
 * Refuses, before anything is charged, a series that nobody can draw, whoever stored it. Throws
 * CERTIFICATE_IMPOSSIBLE.
 *
 * @contract C10
 */
export const requireDrawableSynthesis = oncePer((series: SyntheticSeries): void => {
  certificateOfSynthesis(series);
  const { shape, attributes, parts, window } = series;
  const problem =
    shape.length === attributes.length
      ? sizeProblem(planOf(series, ''), parts.length * window.days)
      : 'The stored series does not say how many values its attributes have.';
  if (problem !== null) throw new OpalineError('CERTIFICATE_IMPOSSIBLE', problem);
});
