import { Command } from 'commander';
import { NEIGHBOURS } from '../../../contracts/certificate.ts';
import { EXIT, OpalineError, wrongUse } from '../../../contracts/errors.ts';
import { compare, formatRational, parseRational, type Rational } from '../../../core/rational/rational.ts';
import { readWholeNumber } from '../../../core/text/whole-number.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import type { CommandTools } from '../../kind-command.ts';
import { compareMechanisms } from '../mechanism/comparison.ts';
import type { Objective } from '../mechanism/objective.ts';
import { formatDelta } from '../mechanism/profile-certificate.ts';
import { checkProfile, weighTable } from '../mechanism/profile-check.ts';
import { type ProfileFile, parseProfile } from '../mechanism/profile-csv.ts';
import { drawCategory } from '../mechanism/sampler.ts';
import { readConfiguration } from './configuration.ts';
import { checkText, comparisonText, profilesText } from './profile-text.ts';
import { writeProfiles } from './write-profiles.ts';

const MOST_GROUP = 20;
const MOST_DRAWS = 1_000_000;
const MOST_DEPARTURES = 200;
const MOST_RUNS = 100_000;
const OBJECTIVES = ['log-likelihood', 'probability', 'distance'] as const;

export const occupancyCommand = (tools: CommandTools): Command =>
  new Command('occupancy')
    .description('how full a vehicle is, without telling who got off: profiles, their proof, their draws')
    .addCommand(profileCommand(tools))
    .addCommand(checkCommand(tools))
    .addCommand(sampleCommand(tools))
    .addCommand(compareCommand(tools));

const PROFILE = ['<profile>', 'a CSV file: passenger_count and a column for each category'] as const;
const GROUP = ['--group <m>', 'protect groups of m people', '1'] as const;

const profileCommand = ({ command }: CommandTools): Command =>
  command('profile', 'make the best profile of each vehicle model, with its certificate')
    .argument('<configuration>', 'a configuration of apc-anonymizer')
    .option('--output <folder>', 'where new files go, instead of outputDirectory')
    .usual('--objective <name>', 'what is best', 'log-likelihood', OBJECTIVES)
    .option('--costs <list>', 'objective distance: cost of being 0, 1, 2 … categories off; 0,1,2,… without it')
    .usual(...GROUP)
    .example('opaline occupancy profile examples/occupancy/configuration.yaml --output profiles')
    .run(async (values, options) => {
      const configuration = await readConfiguration(values.configuration);
      const profiles = await writeProfiles(configuration, {
        folder: options.output ?? configuration.outputDirectory,
        objective: (categories) => readObjective(options, categories),
        group: readWholeNumber('--group', options.group, MOST_GROUP),
        solve: await loadSolver(),
      });
      return { value: { profiles }, text: profilesText(profiles) };
    });

function readObjective(
  { objective, costs }: { objective: Objective['kind']; costs?: string },
  categories: number,
): Objective {
  if (objective !== 'distance') {
    if (costs !== undefined) throw wrongUse('--costs goes with --objective distance only.');
    return { kind: objective };
  }
  const list = costs?.split(',').map(Number) ?? Array.from({ length: categories }, (_, off) => off);
  const isCost = (cost: number, off: number) => cost >= 0 && cost <= 1e6 && (off > 0 || cost === 0);
  if (list.length !== categories || !list.every(isCost))
    throw wrongUse(`--costs takes ${categories} numbers from 0 on, the first of them 0.`);
  return { kind: objective, costs: list };
}

const checkCommand = ({ command }: CommandTools): Command =>
  command('check', 'compute the exact largest δ of anybody’s profile, and where it is attained; ends with 0 or 5')
    .argument(...PROFILE)
    .required('--epsilon <e>', 'ε of one status: 1, 1/2 or 0.5')
    .required('--delta <d>', 'δ that the profile should keep: 0 or 1e-5')
    .usual(...GROUP)
    .example('opaline occupancy check profiles/vdl.csv --epsilon 1 --delta 1e-5')
    .run(async ({ profile }, options) => {
      const epsilon = readAmount('--epsilon', options.epsilon, '0', '32');
      const delta = readAmount('--delta', options.delta, '0', '1');
      const group = readWholeNumber('--group', options.group, MOST_GROUP);
      const { table } = await readProfile(profile);
      const { holds, largestSumError, ...deltas } = checkProfile(table, epsilon, delta, group);
      const value = {
        holds,
        given: formatDelta(deltas.given, epsilon),
        normalised: formatDelta(deltas.normalised, epsilon),
        sampled: formatDelta(deltas.sampled, epsilon),
        largestSumError: formatRational(largestSumError),
      };
      return { value, text: checkText(value, options), exit: holds ? undefined : EXIT.verificationFailed };
    });

const sampleCommand = ({ command, randomness }: CommandTools): Command =>
  command('sample', 'draw statuses from a profile; publish one per departure and never draw it again')
    .argument(...PROFILE)
    .required('--passengers <n>', 'passengers aboard; more than the profile has are its last row')
    .usual('--count <k>', 'how many draws, for those who want to test the sampler', '1')
    .example('opaline occupancy sample profiles/vdl.csv --passengers 54')
    .run(async ({ profile }, options) => {
      const { categories, table } = await readProfile(profile);
      const row = Math.min(readWholeNumber('--passengers', options.passengers, 1e9, 0), table.length - 1);
      const [weights] = weighTable([table[row]!]);
      const source = await randomness();
      const length = readWholeNumber('--count', options.count, MOST_DRAWS);
      const statuses = Array.from({ length }, () => categories[drawCategory(weights!, source)]!);
      return { value: { statuses }, text: statuses.join('\n') };
    });

const compareCommand = ({ command, randomness }: CommandTools): Command =>
  command('compare', 'simulate runs, and compare mechanisms that are private for the whole ride of a passenger')
    .argument('<configuration>', 'a configuration of apc-anonymizer, for its vehicle models')
    .usual('--departures <k>', 'departures of a run with a status each', '30')
    .usual('--epsilon <e>', 'ε of one ride, for all statuses of its run', '4')
    .usual('--delta <d>', 'δ of one ride', '1e-5')
    .usual('--neighbours <kind>', 'replace a ride, or add or remove it', 'add-remove', NEIGHBOURS)
    .usual('--runs <n>', 'simulated runs of each vehicle model', '300')
    .example('opaline occupancy compare examples/occupancy/configuration.yaml --departures 20 --epsilon 8')
    .run(async ({ configuration }, options) => {
      const { vehicles } = await readConfiguration(configuration);
      const request = {
        departures: readWholeNumber('--departures', options.departures, MOST_DEPARTURES),
        epsilon: readAmount('--epsilon', options.epsilon, '0.01', '32'),
        delta: readAmount('--delta', options.delta, '0', '0.5'),
        neighbours: options.neighbours,
        runs: readWholeNumber('--runs', options.runs, MOST_RUNS),
      };
      const solve = await loadSolver();
      const source = await randomness();
      const comparisons = vehicles.map(({ outputFilename, model }) => ({
        vehicle: outputFilename,
        outcomes: compareMechanisms({ model, ...request }, source, solve),
      }));
      return { value: { compared: comparisons }, text: comparisonText(comparisons) };
    });

/** An amount of privacy from the least to the most, both included. Throws USAGE that names the option. */
function readAmount(option: string, text: string, least: string, most: string): Rational {
  try {
    const amount = parseRational(text);
    if (compare(amount, parseRational(least)) >= 0 && compare(amount, parseRational(most)) <= 0) return amount;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw wrongUse(`${option} takes a number such as 1, 1/2, 0.5 or 1e-5, from ${least} to ${most}.`);
}

/** The profile of the largest vehicle that we make has less. */
const MOST_BYTES = 2 ** 25;

/** Reads anyone's profile. Throws PROFILE_INVALID that names the file, and the line of the first mistake. */
async function readProfile(path: string): Promise<ProfileFile> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null)
    throw new OpalineError(
      'PROFILE_INVALID',
      `${path} ${refusal === 'too large' ? 'is too large' : 'cannot be read'}.`,
    );
  try {
    return parseProfile(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    throw new OpalineError(error.code, `${path}, ${error.message}`);
  }
}
