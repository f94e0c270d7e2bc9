import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LoadedSeries, loadSeriesFile } from '../client/series/series-file.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { PopulationPolicy } from '../contracts/formats/policy.ts';
import { RIDE_MECHANISM_NAMES } from '../kinds/occupancy/mechanism/ride-mechanism.ts';
import { demoKey } from '../stack/demo-trust.ts';
import type { EmbeddedFiles } from '../stack/embedded-files.ts';
import { BROKEN_OBJECT, generateDemo, REPAIRED_OBJECT } from './demo/generate-demo.ts';
import { generateOccupancy } from './occupancy/generate-occupancy.ts';
import { generateOpal } from './opal/generate-opal.ts';
import { generatePeople, PEOPLE_WEEK } from './people/generate-people.ts';
import { generateSynthetic } from './synthetic/generate-synthetic.ts';

const EXAMPLES_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The folder of the real data of the examples: OPALINE_DATA, or the folder beside the checkout. */
export const dataFolder = (): string =>
  resolve(process.env.OPALINE_DATA ?? join(EXAMPLES_FOLDER, '..', '..', 'shared', 'data'));

type Example = {
  description: string;
  /** First days of its windows; a second one is left at the gate. */
  windows: [first: string, second?: string];
  /** A window with a broken object, and the objects that are its mending: from where to where. */
  broken?: { window: string; repaired: string; object: string };
  /** Makes the source objects if they are not there, and gives their folder. */
  source(files: EmbeddedFiles): Promise<string>;
};

export const EXAMPLES = {
  demo: {
    description: '200,000 invented trips of a fortnight, by four modes and about 650 locations.',
    windows: ['2026-03-02', '2026-03-09'],
    broken: { window: '2026-03-16', repaired: REPAIRED_OBJECT, object: BROKEN_OBJECT },
    source: (files) => makeOnce(join(files.sources, 'demo'), generateDemo),
  },
  opal: {
    description:
      'the Opal week of 8 to 14 August 2016 as published, each count turned into taps; the time of day is synthetic.',
    windows: ['2016-08-08'],
    source: async (files) => {
      const folder = await present(join(dataFolder(), 'opal'));
      return makeOnce(join(files.sources, 'opal'), (target) => generateOpal(folder, target));
    },
  },
  oyster: {
    description: 'the 5 % sample of Oyster journeys of a week in November 2009; the calendar date is assumed.',
    windows: ['2009-11-01'],
    source: () => present(join(dataFolder(), 'tfl-oyster')),
  },
  people: {
    description:
      'a week of an invented city of 60,000 cards, of which what one card did in the whole week is protected.',
    windows: [PEOPLE_WEEK],
    source: (files) =>
      makeOnce(join(files.sources, 'people'), (target) => generatePeople(target, { cards: 60_000, seed: 7 })),
  },
  occupancy: {
    description: 'how full two bus lines were in an invented week, at each of 3,360 departures.',
    windows: ['2026-03-02'],
    source: (files) => makeOnce(join(files.sources, 'occupancy'), generateOccupancy),
  },
  synthetic: {
    description: 'a table of hour, mode, origin and destination, fitted to noisy answers about 140,000 invented trips.',
    windows: ['2026-03-02'],
    source: (files) => makeOnce(join(files.sources, 'synthetic'), generateSynthetic),
  },
} satisfies Record<string, Example>;

export type ExampleName = keyof typeof EXAMPLES;

/** Windows of the examples are of any year: none is too late. */
const ANY_AGE = 36_600;

/** Mechanisms that the policy of the demo allows, by the kind of the series. */
const MECHANISMS_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  taps: ['stability-histogram', 'complete-domain'],
  occupancy: RIDE_MECHANISM_NAMES,
  synthetic: ['mwem'],
};
/** The same where losses add up in ρ. */
const MECHANISMS_OF_RHO = ['complete-domain', 'discrete-gaussian'];

/** A policy that allows one release at a time of a series as its file asks for it. */
export function policyFor({ kind, source, privacy }: LoadedSeries['series']): PopulationPolicy {
  const { unit, neighbours, epsilon, delta, caps } = privacy;
  const inRho = 'rho' in caps.block ? { rho: caps.block.rho } : null;
  return {
    sources: [source.store],
    unit,
    neighbours: neighbours as PopulationPolicy['neighbours'],
    mechanisms: [...(inRho ? MECHANISMS_OF_RHO : MECHANISMS_ALLOWED[kind]!)],
    accounting: inRho ? 'rho' : 'pure',
    release: { epsilon, delta, ...inRho },
    caps,
    lateDays: ANY_AGE,
  };
}

/**
 * Makes an example ready for the embedded stack: its source objects, a demo key made on this computer, which the trust
 * file of the stack names as an approver's, a copy of the series file, and a policy that allows one release at a time as
 * that file asks for it. What is there already is kept.
 */
export async function prepareExample(name: ExampleName, files: EmbeddedFiles) {
  const { source, ...example } = EXAMPLES[name] as Example;
  await demoKey(files, 'demo');
  const folder = join(files.examples, name);
  await cp(join(EXAMPLES_FOLDER, 'dictionaries'), join(folder, 'dictionaries'), { recursive: true });
  const seriesFile = join(folder, 'series.yaml');
  await cp(join(EXAMPLES_FOLDER, `${name}.yaml`), seriesFile);
  const { series } = await loadSeriesFile(seriesFile);
  return {
    ...example,
    seriesFile,
    store: series.source.store,
    source: await source(files),
    key: files.key('demo'),
    publication: files.publication,
    trust: files.trust,
    populations: { [series.population]: policyFor(series) },
  };
}

export type PreparedExample = Awaited<ReturnType<typeof prepareExample>>;

/** Makes source objects once: a mark is written when all of them are there. */
async function makeOnce(target: string, make: (target: string) => Promise<void>): Promise<string> {
  const mark = `${target}.made`;
  if (existsSync(mark)) return target;
  process.stderr.write(`Making the data of the example in ${target} …\n`);
  await mkdir(target, { recursive: true });
  await make(target);
  await writeFile(mark, '');
  return target;
}

async function present(folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  throw new OpalineError(
    'OBJECT_MISSING',
    `This example reads real data that is not part of the project, and ${folder} is not there; set OPALINE_DATA to the folder that holds it.`,
  );
}
