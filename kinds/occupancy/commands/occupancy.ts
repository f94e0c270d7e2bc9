import { Command, Option } from 'commander';
import { NEIGHBOURS, type Neighbours } from '../../../contracts/certificate.ts';
import { EXIT, OpalineError } from '../../../contracts/errors.ts';
import { compare, formatRational, parseRational, type Rational } from '../../../core/rational/rational.ts';
import { readWholeNumber } from '../../../core/text/whole-number.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { loadSolver } from '../../../services/linear-solver.ts';
import type { CommandTools } from '../../kind-command.ts';
import { compareMechanisms } from '../mechanism/comparison.ts';
import type { Objective } from '../mechanism/objective.ts';
import { statedDelta } from '../mechanism/profile-certificate.ts';
import { checkProfile, sampledWeights } from '../mechanism/profile-check.ts';
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

export function occupancyCommand(tools: CommandTools): Command {
  return new Command('occupancy')
    .description('how full a vehicle is, without telling who got off: profiles, their proof, their draws')
    .addCommand(profileCommand(tools))
    .addCommand(checkCommand(tools))
    .addCommand(sampleCommand(tools))
    .addCommand(compareCommand(tools));
}

type ProfileOptions = {
  output?: string;
  objective: Objective['kind'];
  costs?: string;
  group: string;
};

function profileCommand({ define }: CommandTools): Command {
  const command = new Command('profile')
    .description('make the best profile of each vehicle model, with its certificate and a picture')
    .argument('<configuration>', 'a configuration of apc-anonymizer')
    .option('--output <folder>', 'where new files go, instead of outputDirectory')
    .addOption(new Option('--objective <name>', 'what is best').choices(OBJECTIVES).default('log-likelihood'))
    .option('--costs <list>', 'objective distance: cost of being 0, 1, 2 … categories off; 0,1,2,… without it')
    .option('--group <m>', 'protect groups of so many people', '1');
  define(
    command,
    'opaline occupancy profile examples/occupancy/configuration.yaml --output profiles',
    async ([file], options: ProfileOptions) => {
      const configuration = await readConfiguration(file!);
      const written = await writeProfiles(configuration, {
        folder: options.output ?? configuration.outputDirectory,
        objective: (categories) => readObjective(options, categories),
        group: readWholeNumber('--group', options.group, MOST_GROUP),
        solve: await loadSolver(),
      });
      return { value: { profiles: written }, text: profilesText(written) };
    },
  );
  return command;
}

function readObjective({ objective, costs }: ProfileOptions, categories: number): Objective {
  if (objective !== 'distance') {
    if (costs !== undefined) throw new OpalineError('USAGE', '--costs goes with --objective distance only.');
    return { kind: objective };
  }
  const given = costs?.split(',').map(Number) ?? Array.from({ length: categories }, (_, off) => off);
  const isCost = (cost: number, off: number) => cost >= 0 && cost <= 1e6 && (off > 0 || cost === 0);
  if (given.length !== categories || !given.every(isCost))
    throw new OpalineError('USAGE', `--costs takes ${categories} numbers from 0 on, the first of them 0.`);
  return { kind: objective, costs: given };
}

type CheckOptions = { epsilon: string; delta: string; group: string };

function checkCommand({ define }: CommandTools): Command {
  const command = new Command('check')
    .description('compute the exact largest δ of anybody’s profile, and where it is attained; ends with 0 or 5')
    .argument('<profile>', 'a CSV file: passenger_count and a column for each category')
    .requiredOption('--epsilon <e>', 'ε of one status: 1, 1/2 or 0.5')
    .requiredOption('--delta <d>', 'δ that the profile should keep: 0 or 1e-5')
    .option('--group <m>', 'protect groups of so many people', '1');
  define(
    command,
    'opaline occupancy check profiles/vdl.csv --epsilon 1 --delta 1e-5',
    async ([file], options: CheckOptions) => {
      const [epsilon, delta] = [
        readAmount('--epsilon', options.epsilon, '0', '32'),
        readAmount('--delta', options.delta, '0', '1'),
      ];
      const group = readWholeNumber('--group', options.group, MOST_GROUP);
      const { table } = await readProfile(file!);
      const check = checkProfile(table, epsilon, delta, group);
      const result = {
        holds: check.holds,
        given: statedDelta(check.given, epsilon),
        normalised: statedDelta(check.normalised, epsilon),
        sampled: statedDelta(check.sampled, epsilon),
        largestSumError: formatRational(check.largestSumError),
      };
      const ended = check.holds ? {} : { exit: EXIT.verificationFailed };
      return { value: result, text: checkText(result, options), ...ended };
    },
  );
  return command;
}

type SampleOptions = { passengers: string; count: string };

function sampleCommand({ define, randomness }: CommandTools): Command {
  const command = new Command('sample')
    .description('draw statuses from a profile; publish one per departure and never draw it again')
    .argument('<profile>', 'a CSV file: passenger_count and a column for each category')
    .requiredOption('--passengers <n>', 'passengers aboard; more than the profile has are its last row')
    .option('--count <k>', 'how many draws, for those who want to test the sampler', '1');
  define(
    command,
    'opaline occupancy sample profiles/vdl.csv --passengers 54',
    async ([file], options: SampleOptions) => {
      const { categories, table } = await readProfile(file!);
      const row = Math.min(readPassengers(options.passengers), table.length - 1);
      const [weights] = sampledWeights([table[row]!]);
      const source = await randomness();
      const length = readWholeNumber('--count', options.count, MOST_DRAWS);
      const statuses = Array.from({ length }, () => categories[drawCategory(weights!, source)]!);
      return { value: { statuses }, text: statuses.join('\n') };
    },
  );
  return command;
}

function readPassengers(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new OpalineError('USAGE', `--passengers takes a whole number from 0 on, not ${text}.`);
}

type CompareOptions = {
  departures: string;
  epsilon: string;
  delta: string;
  neighbours: Neighbours;
  runs: string;
};

function compareCommand({ define, randomness }: CommandTools): Command {
  const command = new Command('compare')
    .description('simulate runs, and compare mechanisms that are private for the whole ride of a passenger')
    .argument('<configuration>', 'a configuration of apc-anonymizer, for its vehicle models')
    .option('--departures <k>', 'departures of a run with a status each', '30')
    .option('--epsilon <e>', 'ε of one ride, for all statuses of its run', '4')
    .option('--delta <d>', 'δ of one ride', '1e-5')
    .addOption(
      new Option('--neighbours <kind>', 'replace a ride, or add or remove it')
        .choices(NEIGHBOURS)
        .default('add-remove'),
    )
    .option('--runs <n>', 'simulated runs of each vehicle model', '300');
  define(
    command,
    'opaline occupancy compare examples/occupancy/configuration.yaml --departures 20 --epsilon 8',
    async ([file], options: CompareOptions) => {
      const { vehicles } = await readConfiguration(file!);
      const request = {
        departures: readWholeNumber('--departures', options.departures, MOST_DEPARTURES),
        epsilon: readAmount('--epsilon', options.epsilon, '0.01', '32'),
        delta: readAmount('--delta', options.delta, '0', '0.5'),
        neighbours: options.neighbours,
        runs: readWholeNumber('--runs', options.runs, MOST_RUNS),
      };
      const solve = await loadSolver();
      const source = await randomness();
      const compared = vehicles.map(({ outputFilename, model }) => ({
        vehicle: outputFilename,
        outcomes: compareMechanisms({ model, ...request }, source, solve),
      }));
      return { value: { compared }, text: comparisonText(compared) };
    },
  );
  return command;
}

/** An amount of privacy from the least to the most, both included. Throws USAGE that names the option. */
function readAmount(option: string, text: string, least: string, most: string): Rational {
  try {
    const amount = parseRational(text);
    if (compare(amount, parseRational(least)) >= 0 && compare(amount, parseRational(most)) <= 0) return amount;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new OpalineError('USAGE', `${option} takes a number such as 1, 1/2, 0.5 or 1e-5, from ${least} to ${most}.`);
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
