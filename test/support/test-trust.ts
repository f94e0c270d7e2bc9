import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import type { SigningKey } from '../../services/signing/keys.ts';
import type { DemoTrust } from '../../stack/demo-trust.ts';
import { seededKey } from './seeded-key.ts';

/** Whom the stacks of tests believe: approvers, and a policy over populations of the tests. */

/** The approver of the small series and of the copied examples. */
export const TEST_APPROVER = 'manager@example.org';

/** Others who may decide on every test stack. */
const OTHER_APPROVERS = ['second@example.org', 'third@example.org'];

/** The key of a person. */
export const approverKey = (subject: string): SigningKey => seededKey(subject);

/** The source store of a population of the tests; `trips` is that of the small riders. One store, one population. */
export const sourceStoreOf = (population: string): string => (population === 'small-riders' ? 'trips' : population);

/** Populations that series of the tests name. */
const POPULATIONS = [
  ...['small-riders', 'other-riders', 'dear-riders', 'gone-riders', 'cut-riders', 'weekly', 'mended', 'misread'],
  ...['holes', 'refused', 'late', 'changed', 'poor', 'broken', 'slow', 'forged', 'forgotten', 'junk', 'paused'],
  ...['usual', 'fails', 'cancelled', 'expiring', 'embargo', 'held-back', 'not-read', 'half-drawn', 'backfill'],
  'retracted',
];

/** A population of rides, and its source store. */
const RIDES = 'demo-rides';

/** The people of the made-up kind, and their source store. */
const GATE_USERS = 'gate-users';

/** Names of the source stores of a test stack. */
export const TEST_SOURCES: readonly string[] = [...POPULATIONS.map(sourceStoreOf), RIDES, GATE_USERS];

const WIDE_CAPS = { block: { epsilon: '10000', delta: '1/2' }, year: { epsilon: '100000', delta: '1/2' } };

/** A policy that stands in the way of nothing; tests of the policy itself have one of their own. */
export const widePopulation = (sources: string[], change: Partial<PopulationPolicy> = {}): PopulationPolicy => ({
  sources,
  unit: 'trip',
  neighbours: 'replace-one',
  mechanisms: ['stability-histogram', 'complete-domain', 'mwem'],
  accounting: 'pure',
  release: { epsilon: '100', delta: '1/100' },
  caps: WIDE_CAPS,
  lateDays: 36_600,
  ...change,
});

/** The people of the examples on real data, and what they are protected as; their source stores are the examples'. */
const REAL_POPULATIONS = {
  'oyster-cards': widePopulation(['oyster']),
  'opal-cards': widePopulation(['opal'], { unit: 'tap' }),
};

export const TEST_TRUST: DemoTrust = {
  approvers: [TEST_APPROVER, ...OTHER_APPROVERS].map((subject) => ({
    subject,
    publicKey: approverKey(subject).publicKey,
  })),
  required: 1,
  populations: {
    ...Object.fromEntries(POPULATIONS.map((name) => [name, widePopulation([sourceStoreOf(name)])])),
    poor: widePopulation(['poor'], {
      release: { epsilon: '8', delta: '1/100' },
      caps: { ...WIDE_CAPS, year: { ...WIDE_CAPS.year, epsilon: '17/2' } },
    }),
    [RIDES]: widePopulation([RIDES], { unit: 'ride', mechanisms: ['each-stop', 'tree'] }),
    [GATE_USERS]: widePopulation([GATE_USERS], { unit: 'tap' }),
    ...REAL_POPULATIONS,
  },
};
