import { partitionPath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { type ExactFinding, judge } from '../../core/verdict/exact-finding.ts';
import { sameRows } from '../../services/publication/parquet-columns.ts';
import { isTableOf } from '../../services/publication/table-csv.ts';
import type { PublicationCheck } from '../file-audit.ts';
import { syntheticProblems } from './mechanism/synthetic-check.ts';
import { MOST_ROWS } from './mechanism/transcript.ts';
import { queriesOf } from './mechanism/workload.ts';
import { planOfFile } from './privacy-file.ts';
import type { PublishedSynthesis } from './published-synthesis.ts';
import { byDayAndPart, MEASUREMENTS, measurementColumns, weightColumns, weightsTable } from './tables.ts';

/** What is right or wrong with a release of synthetic data. */
type SynthesisCheck = (synthesis: PublishedSynthesis) => ExactFinding;

/** The certificate adds up, and is that of the parameters. */
const checkSynthesisCertificate: SynthesisCheck = ({ certificate, privacy }) => {
  const { unit, neighbours, epsilon, delta, rounds, chosenOn } = certificate;
  const { parts, days } = privacy.domain;
  const { passes: _, rows, ...parameters } = privacy.parameters;
  const own = { unit, neighbours, epsilon, delta, rounds, ...(chosenOn !== undefined && { chosenOn }) };
  const same =
    canonicalJson(own) === canonicalJson(parameters) &&
    certificate.partitions === parts.length * days.length &&
    (rows === null) === (certificate.rows !== null);
  return judge(
    same ? syntheticProblems(certificate)[0] : 'Certificate and privacy.json have different parameters.',
    `The certificate holds: one ${unit} loses at most ε = ${epsilon} in all parts and days together, and δ is 0.`,
  );
};

/** Every partition that is no hole has as many rounds as are charged, of queries that the workload has, once. */
const checkMeasurements: SynthesisCheck = (synthesis) => {
  const { privacy, drawn } = synthesis;
  const { parts, days } = privacy.domain;
  const plan = planOfFile(privacy, '');
  const queries = queriesOf(plan.shape, plan.marginals).length;
  const partitions = days.flatMap((day) => parts.map((part) => ({ part, day }))).sort(byDayAndPart);
  const holes = new Set(privacy.holes);
  const names = partitions.map(partitionPath).filter((name) => !holes.has(name));
  const wrong = drawn.find(({ part, rows, measurements }) => {
    const publicRows = privacy.parameters.rows?.[part];
    return (
      measurements.length !== privacy.parameters.rounds ||
      measurements.some(({ query }) => query >= queries) ||
      !(rows >= 1 && rows <= MOST_ROWS) ||
      (privacy.parameters.rows !== null && publicRows !== rows)
    );
  });
  const problem =
    canonicalJson(drawn.map(partitionPath)) !== canonicalJson(names)
      ? 'The measured parts and days are not those of the release, each once and in order.'
      : wrong
        ? `${wrong.part} on ${wrong.day} has other rounds, queries or rows than are charged and public.`
        : null;
  return judge(
    problem,
    `Each of ${drawn.length} parts and days has ${privacy.parameters.rounds} rounds, as is charged.`,
  );
};

/** The table is what the measurements give, to the last byte: nothing else of the data is in it. */
const checkWeights: SynthesisCheck = (synthesis) => {
  const { table, privacy, drawn } = synthesis;
  const sound = checkMeasurements(synthesis);
  if (!sound.ok) return sound;
  return judge(
    isTableOf(weightsTable(privacy.domain), weightColumns(privacy, drawn), table)
      ? null
      : 'The weights are not those that follow from the published measurements.',
    'The weights of all cells follow from the published measurements.',
  );
};

/** The words beside a measurement say which query it is. */
const checkWords: SynthesisCheck = ({ privacy, drawn, measurements }) =>
  judge(
    isTableOf(MEASUREMENTS, measurementColumns(privacy, drawn), measurements)
      ? null
      : 'A measurement is named as another query.',
    'Every measurement is named as the query that it is of.',
  );

/**
 * CSV and Parquet say the same: another draw in one of them would be a second view. Throws when a Parquet file has other
 * columns or more rows, or is not one.
 */
function checkParquet(synthesis: PublishedSynthesis): ExactFinding {
  const { privacy, table, parquet, measurements, measurementsParquet } = synthesis;
  const cells = sameRows(weightsTable(privacy.domain), table, parquet);
  const rounds = sameRows(MEASUREMENTS, measurements, measurementsParquet);
  return judge(
    cells === null || rounds === null ? 'A Parquet file has other rows than its CSV file.' : null,
    `CSV and Parquet have the same ${cells} cells and ${rounds} measurements.`,
  );
}

/** The checks of a release of synthetic data by its files alone, in the order of the report. */
export const SYNTHESIS_CHECKS: readonly PublicationCheck<PublishedSynthesis>[] = [
  ['certificate', 'Add up what every step loses, and compare it with the charge.', checkSynthesisCertificate],
  ['rounds', 'Count the rounds of every part and day, and look for strange queries.', checkMeasurements],
  ['queries', 'Write the name of every query again.', checkWords],
  ['weights', 'Compute the weights of all cells from the published measurements.', checkWeights],
  ['formats', 'Compare the rows of the two formats.', checkParquet],
];
