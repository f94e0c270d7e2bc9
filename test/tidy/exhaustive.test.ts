import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MECHANISM_NAMES, UNIT_NAMES } from '../../contracts/certificate.ts';
import { RIDE_MECHANISM_NAMES } from '../../kinds/occupancy/mechanism/ride-mechanism.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { copyOfTree, withMutant } from '../mutants/planting.ts';
import { isTest, readProjectFile, typescriptFiles } from './source-files.ts';

/** What compiles here is what runs: a test may name the units that it tries. */
const PRODUCTION = {
  extends: './tsconfig.json',
  compilerOptions: { noUnusedLocals: false },
  include: [
    'contracts',
    'core',
    'counts',
    'services',
    'custodian',
    'kinds',
    'activities',
    'workflows',
    'worker',
    'stack',
    'client',
    'cli',
    'foreign-audit',
    'infra',
  ],
  exclude: ['node_modules', '**/*.test.ts', '**/*.fixture.ts'],
};

type Edit = Mutant['edits'][number];

/** One more name at the end of a list of names. */
const added = (list: string, from: string, name: string): Edit => ({
  in: list,
  from: `${from} as const`,
  to: `${from.replace(']', `, '${name}']`)} as const`,
});

const UNIT = added('UNIT_NAMES', "['tap', 'trip', 'card-day', 'card-window']", 'household');
const MECHANISM = added(
  'MECHANISM_NAMES',
  "['stability-histogram', 'complete-domain', 'discrete-gaussian', 'sbh-2017']",
  'geometric',
);

/** A law of noise that is named, and that a mechanism of releases has. */
const LAW: Edit[] = [
  added('INTEGER_NOISES', "['rounded-laplace', 'discrete-laplace', 'discrete-gaussian']", 'staircase'),
  {
    in: 'MECHANISMS',
    from: "...LAPLACE, delta: 'zero'",
    to: "...LAPLACE, drawnNoise: 'staircase', publishedNoise: 'staircase', delta: 'zero'",
  },
];

const RIDE = added('RIDE_MECHANISM_NAMES', "['each-stop', 'tree']", 'whole-run');

/** A table of taps that is published and that nobody compares with the draws. */
const TABLE = added(
  'PUBLISHED_TABLES',
  "[...TABLES, 'hours', 'remainder-time', 'remainder-location', 'margins-time', 'margins-location', 'left-out']",
  'days',
);

/** A place that takes every unit but one for not bounded at all. */
const COMPARED: Edit = {
  in: 'cardBound',
  from: 'const { cardScope } = UNITS[privacy.unit];',
  to: "const cardScope = privacy.unit === 'card-day' ? 'day' : null;",
};

/** Every place that knows what a unit is: the table, what looks there, and switches without a default. */
const PLACES_OF_UNITS = [
  'cli/project-questions.ts',
  'client/project/project-design.ts',
  'client/project/project-text.ts',
  'contracts/certificate-statements.ts',
  'counts/accounting/release-loss.ts',
  'counts/accounting/year-in-words.ts',
  'counts/audit/checks/dependence.ts',
  'counts/audit/ledger-facts.ts',
  'counts/certificate-check/check-certificate.ts',
  'counts/certificate-check/check-delta.ts',
  'counts/certificate/certify.ts',
  'counts/certificate/gaussian-design.ts',
  'counts/certificate/l1-change.ts',
  'counts/certificate/units.ts',
  'counts/readers/people-designs.ts',
  'kinds/taps/client/domain-size.ts',
  'kinds/taps/file/rules.ts',
  'kinds/taps/file/source-rules.ts',
  'kinds/taps/private/bounding.ts',
  'kinds/taps/private/tap-keys.ts',
  'kinds/taps/public/description.ts',
  'kinds/taps/public/place-totals.ts',
  'kinds/taps/public/reading-guide.ts',
  'kinds/taps/public/shown-words.ts',
  'kinds/taps/public/statement.ts',
  'kinds/taps/series-kind.ts',
  'services/audit-page/figures/people-figure.ts',
];

/** The same for mechanisms. */
const PLACES_OF_MECHANISMS = [
  'contracts/certificate-statements.ts',
  'counts/accounting/release-loss.ts',
  'counts/audit/checks/certificate-check.ts',
  'counts/audit/checks/declared-noise.ts',
  'counts/audit/checks/published-threshold.ts',
  'counts/audit/mechanism/interference.ts',
  'counts/audit/warnings/noisy-totals.ts',
  'counts/audit/warnings/published-taps.ts',
  'counts/certificate-check/check-delta.ts',
  'counts/certificate/cell-noise.ts',
  'counts/certificate/certify.ts',
  'counts/certificate/floors.ts',
  'counts/certificate/other-neighbours.ts',
  'counts/certificate/smallest-share.ts',
  'counts/mechanisms/draw-table.ts',
  'counts/mechanisms/mechanisms.ts',
  'counts/mechanisms/noise.ts',
  'foreign-audit/foreign-table.ts',
  'kinds/taps/client/client-kind.ts',
  'kinds/taps/client/domain-size.ts',
  'kinds/taps/commands/certify-command.ts',
  'kinds/taps/file/rules.ts',
  'kinds/taps/public/description.ts',
  'kinds/taps/public/reading-guide.ts',
  'kinds/taps/public/statement.ts',
  'kinds/taps/series-kind.ts',
  'kinds/taps/taps-certificate.ts',
];

/** The same for laws of noise. */
const PLACES_OF_LAWS = [
  'core/statistics/clear-pairs.ts',
  'core/statistics/difference-law.ts',
  'core/statistics/integer-sum.ts',
  'core/statistics/noise-law.ts',
  'core/statistics/pair-laws.ts',
  'counts/audit/checks/published-count.ts',
  'counts/audit/mechanism/distinguishing-events.ts',
  'counts/audit/mechanism/noise-bins.ts',
  'counts/audit/mechanism/noise-tail.ts',
  'counts/certificate/cell-noise.ts',
  'counts/mechanisms/mechanisms.ts',
  'counts/mechanisms/noise.ts',
  'counts/readers/changed-rows.ts',
  'counts/readers/expected-utility.ts',
  'kinds/taps/client/designs.ts',
];

/** The same for mechanisms of rides. */
const PLACES_OF_RIDES = [
  'kinds/occupancy/mechanism/changed-statuses.ts',
  'kinds/occupancy/mechanism/ride-certificate.ts',
  'kinds/occupancy/mechanism/ride-check.ts',
  'kinds/occupancy/mechanism/ride-mechanism.ts',
  'kinds/occupancy/mechanism/run-statuses.ts',
  'kinds/occupancy/mechanism/shadow-check.ts',
  'kinds/occupancy/mechanism/shadow-rides.ts',
  'kinds/occupancy/occupancy-table.ts',
  'kinds/occupancy/private/draw.ts',
  'kinds/occupancy/ride-mechanisms.ts',
];

/** The same for published tables of taps. */
const PLACES_OF_TABLES = [
  'counts/audit/checks/sums.ts',
  'counts/derive/published-tables.ts',
  'kinds/taps/public/tables.ts',
];

describe('what has no more than a name is refused by the compiler wherever something has to be said of it', () => {
  let copy: Awaited<ReturnType<typeof copyOfTree>>;
  beforeAll(async () => {
    copy = await copyOfTree();
    await writeFile(join(copy.folder, 'tsconfig.production.json'), JSON.stringify(PRODUCTION));
  }, 180_000);
  afterAll(() => copy.remove());

  const refusedAfter = (...edits: Edit[]): Promise<string[]> =>
    withMutant(copy.folder, { id: 'addition', edits }, () => filesWithErrors(copy.folder));

  // No place knows two of them, so that one run of the compiler shows which is refused where.
  test('a unit, a law of noise and a mechanism of rides', async () => {
    const places = [...PLACES_OF_UNITS, ...PLACES_OF_LAWS, ...PLACES_OF_RIDES];
    expect(new Set(places).size).toBe(places.length);
    expect(await refusedAfter(UNIT, ...LAW, RIDE)).toEqual(places.sort());
  }, 180_000);

  test('a mechanism', { tags: 'soak', timeout: 180_000 }, async () => {
    expect(await refusedAfter(MECHANISM)).toEqual(PLACES_OF_MECHANISMS);
  });

  test('a published table: it is not derived, compared or described by itself', {
    tags: 'soak',
    timeout: 180_000,
  }, async () => {
    expect(await refusedAfter(TABLE)).toEqual(PLACES_OF_TABLES);
  });

  test('broken twin: a place that compares a name lets the new unit through', { tags: 'soak' }, async () => {
    expect(await refusedAfter(UNIT, COMPARED)).toEqual(
      PLACES_OF_UNITS.filter((file) => !file.endsWith('/bounding.ts')),
    );
  });
});

/** A comparison holds for the units and mechanisms of today and says nothing of the next one. */
const COMPARISON = new RegExp(
  `(?:[!=]==?\\s*|startsWith\\()'(?:${[...UNIT_NAMES, ...MECHANISM_NAMES, ...RIDE_MECHANISM_NAMES].join('|')}|card-?)'`,
);

test('names of units and mechanisms are compared nowhere: a table or a switch without a default decides', () => {
  const isFixture = (file: string) => file.endsWith('.fixture.ts') || file.startsWith('bench/');
  const production = typescriptFiles().filter((file) => !isTest(file) && !isFixture(file));
  expect(production.filter((file) => COMPARISON.test(readProjectFile(file)))).toEqual([]);
  for (const broken of [
    "unit === 'trip' ? 2 : 1",
    "kind === 'tree'",
    "mechanism !== 'sbh-2017'",
    "unit.startsWith('card')",
  ])
    expect(COMPARISON.test(broken)).toBe(true);
});

/** Runs the compiler over what runs; gives every file in which it finds an error. */
async function filesWithErrors(folder: string): Promise<string[]> {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = [compiler, '--pretty', 'false', '-p', 'tsconfig.production.json'];
  const output = await new Promise<string>((resolve) => {
    // The compiler ends with a code of its own when it finds errors, which are what is asked for.
    execFile(process.execPath, words, { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  const files = output.split('\n').flatMap((line) => /^(\S+\.ts)\(\d+,\d+\): error /.exec(line)?.[1] ?? []);
  return [...new Set(files)].sort();
}
