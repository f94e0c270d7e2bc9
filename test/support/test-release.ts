import { randomUUID } from 'node:crypto';
import { type Partition, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { AuditInput, DecideInput, DeriveInput, Hole, Run } from '../../contracts/stages.ts';
import { windowDays, windowPartitions } from '../../core/calendar/window.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { countInterference } from '../../counts/audit/mechanism/interference.ts';
import type { ShadowCounts } from '../../counts/audit/mechanism/shadow-tallies.ts';
import { certify } from '../../counts/certificate/certify.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../../counts/tables/columns.ts';
import { type TapsSeries, tapsSeriesSchema } from '../../kinds/taps/series.ts';
import { type PartitionOutcome, receiptOf, reserveOfCharge } from '../../services/draws/require-receipts.ts';
import { auditInputs } from '../../services/draws/stage-receipt.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { type DecisionBasis, type DecisionRequest, usualGate } from '../../services/signing/decision-statement.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';
import { drawTable, drawTableWith } from './draw-rows.ts';
import { newFolder } from './new-folder.ts';
import { loadedSeries, ReleaseBench } from './release-bench.ts';
import { seededSource } from './seeded-source.ts';
import { runShadow } from './shadow-run.ts';
import { signDecision } from './sign-decision.ts';
import type { TableRows } from './table-of-rows.ts';
import { tableOfRows } from './table-of-rows.ts';
import { PRIVATE_BUILD, putCharge } from './test-custody.ts';
import { ada, ben, eve, receiptBytes, shadowReceiptBytes, TEST_CHAIN } from './trust-files.ts';

/** A small release in real folder stores, for the tests of the public stages and of the verifier. */
export type TestRelease = {
  folder: string;
  context: PublicContext;
  series: TapsSeries;
  run: Run;
  input: AuditInput;
};

/** The list of places of the test series. */
export const DICTIONARY = Buffer.from('source,location\n1,Manly\n2,Circular Quay\n3,"Mosman, ""Bay"""\n', 'utf8');

/** A trip-protecting series with T = 9; eve is both approver and custodian, which only a mistake can make. */
export function testSeries(changes: Record<string, unknown> = {}): TapsSeries {
  return tapsSeriesSchema.parse({
    format: 'opaline-series/3',
    series: 'demo',
    population: 'demo-people',
    timeZone: 'Australia/Sydney',
    custodians: [eve.subject],
    source: { store: 'raw', pattern: '{date}.csv', format: 'csv', rows: 'trips' },
    day: { starts: '00:00', ends: '24:00' },
    window: { days: 2, firstWeekday: 'monday' },
    bins: {
      minutes: 15,
      locations: { ferry: { dictionary: sha256(DICTIONARY) }, bus: { dictionary: sha256(DICTIONARY) } },
    },
    modes: ['ferry', 'bus'],
    privacy: {
      mechanism: 'stability-histogram',
      unit: 'trip',
      epsilon: '8',
      delta: '1/1000000',
      split: { cells: '8' },
      caps: { block: { epsilon: '8', delta: '1/1000000' }, year: { epsilon: '500', delta: '1/10000' } },
    },
    gate: { approvers: [ada, ben, eve].map(({ subject }) => ({ subject })), required: 2 },
    publication: {
      title: 'Demo taps',
      licence: 'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/',
      notes: ['Synthetic.'],
    },
    ...changes,
  });
}

const table = ({ part, day }: Partition, cells: TableRows['cells']): TableRows => ({
  part,
  day,
  format: PRIVATIZED_TABLE_FORMAT,
  cells,
  hours: null,
  margins: null,
  remainder: null,
});

const CELLS: TableRows['cells'] = [
  ['off', '07:30', 'Circular Quay', 41],
  ['on', '07:15', 'Manly', 91],
  ['on', '07:15', 'Mosman, "Bay"', 12],
  ['on', '07:30', 'UNKNOWN', 9],
];

export const testTables = (): TableRows[] => [
  table({ part: 'ferry', day: '2026-03-02' }, CELLS),
  table({ part: 'ferry', day: '2026-03-03' }, [['off', '18:00', 'Circular Quay', 25]]),
  table({ part: 'bus', day: '2026-03-02' }, CELLS.slice(1)),
  table({ part: 'bus', day: '2026-03-03' }, [['on', '23:45', 'Manly', 1000]]),
];

/** What the private worker would report of the mechanism; fewer tables than in production, the same ones each time. */
export function testShadow(series: TapsSeries): ShadowCounts {
  const key = canonicalJson(series.privacy);
  const known = shadows.get(key) ?? drawShadow(series);
  shadows.set(key, known);
  return known;
}

const shadows = new Map<string, ShadowCounts>();

function drawShadow(series: TapsSeries): ShadowCounts {
  // What is never released is not drawn either: the mechanism of 2017 is tried as the one that took its place.
  const mechanism = series.privacy.mechanism === 'sbh-2017' ? 'stability-histogram' : series.privacy.mechanism;
  const certificate = certify({ ...series.privacy, mechanism });
  const random = seededSource(20);
  return {
    ...runShadow(
      certificate,
      (partition, counts, domain) => drawTable(partition, counts, domain, certificate, random, partition.leftOut ?? []),
      48,
    ),
    interference: countInterference(certificate, random, (noise, partition, counts, domain, leftOut) =>
      drawTableWith(noise, partition, counts, domain, certificate, leftOut),
    ),
  };
}

const CHARGE = '7d444840-9dc0-41d1-b245-5ffdce74fad2';

/** Tips of the ledgers of test releases, by the digests of their series files. */
const tips = new Map<string, DecisionBasis['ledger']>();

/** Under what people decide on a test release. */
export const testBasis = ({ seriesDigest }: Pick<Run, 'seriesDigest'>): DecisionBasis => ({
  trust: pinOf(newestVersion(TEST_CHAIN)),
  ledger: tips.get(seriesDigest)!,
  required: 2,
  elsewhere: 1,
  after: [],
});

/**
 * A release from derive on: of these tables, as if privatize had drawn them, so that what is published of them can be
 * known beforehand. Its charge, copies and receipts are as the private worker makes them.
 */
export async function testRelease(
  series: TapsSeries = testSeries(),
  tables: TableRows[] = testTables(),
  holes: Hole[] = [],
  lists: readonly Buffer[] = [DICTIONARY],
): Promise<TestRelease> {
  const charge = CHARGE;
  const loaded = loadedSeries(series, lists);
  const bench = await new ReleaseBench(newFolder(), loaded, '2026-03-02').prepared();
  const context = bench.contexts().public;
  const { releaseStore } = context;
  const run = bench.run();
  const input = await staged(releaseStore, series, run, { charge, tables, holes });
  return { folder: bench.root, context, series, run, input };
}

/** What the stages before derive have stored of a release. */
async function staged(
  releaseStore: ObjectStore,
  series: TapsSeries,
  run: Run,
  { charge, tables, holes }: { charge: string; tables: readonly TableRows[]; holes: Hole[] },
): Promise<AuditInput> {
  const partitions = windowPartitions(series, series.modes, run.window);
  const ledger = await putCharge(releaseStore, series, run, partitions, charge);
  tips.set(run.seriesDigest, tipOf(ledger));
  const reserve = reserveOfCharge(ledger, charge)!;
  const putReceipt = (partition: Partition, outcome: PartitionOutcome) =>
    releaseStore.putIfAbsent(
      RELEASE_KEYS.receipt(run, partition),
      receiptBytes(receiptOf(reserve, run.seriesDigest, partition, outcome)),
    );
  for (const hole of holes) await putReceipt(hole, hole);
  const draws: DeriveInput['draws'] = [];
  for (const privatized of tables) {
    const partition = { part: privatized.part, day: privatized.day };
    const bytes = jsonBytes(tableOfRows(privatized));
    await releaseStore.putIfAbsent(RELEASE_KEYS.privatized(run, partition), bytes);
    const table = sha256(bytes);
    await putReceipt(partition, { table, build: PRIVATE_BUILD });
    draws.push({ partition, digest: table });
  }
  const shadow = testShadow(series);
  const about = { release: releasePath(run), seriesDigest: run.seriesDigest, charge };
  await releaseStore.putIfAbsent(RELEASE_KEYS.shadowReceipt(run, PRIVATE_BUILD), shadowReceiptBytes(about, shadow));
  return { ...run, correction: null, charge, draws, holes, shadow };
}

/** Another release of the series of a test release, in the same stores; tables of the first window get its days. */
export async function anotherRelease(
  first: TestRelease,
  { window = first.run.window, version = 1 }: { window?: string; version?: number },
  drawn: readonly TableRows[] = testTables(),
): Promise<TestRelease> {
  const run = { ...first.run, window, version };
  const days = windowDays(first.series, window);
  const known = windowDays(first.series, first.run.window);
  const tables = drawn.map((table) => ({ ...table, day: days[known.indexOf(table.day)]! }));
  const { releaseStore } = first.context;
  const input = await staged(releaseStore, first.series, run, { charge: randomUUID(), tables, holes: [] });
  return { ...first, run, input };
}

/** Where the receipt of its first audit is. */
export const receiptKey = ({ run, input }: Pick<TestRelease, 'run' | 'input'>): string =>
  RELEASE_KEYS.auditReceipt(run, auditInputs(input, run.seriesDigest));

/** A signed approval of the manifest as the workflow hands it on; `signed` changes the statement, `change` the rest. */
export function testDecision(
  run: Run,
  manifestDigest: string,
  person: typeof ada,
  signed: Partial<DecisionRequest> = {},
  change: Partial<DecideInput> = {},
): DecideInput {
  const request: DecisionRequest = {
    release: run,
    manifestDigest,
    subject: person.subject,
    decision: 'approve',
    reason: 'audit-passed',
    acknowledged: [],
    ...testBasis(run),
    ...signed,
  };
  return {
    ...run,
    gate: request.gate ?? usualGate(request.decision),
    action: request.decision,
    manifestDigest,
    verdict: 'pass',
    attention: [],
    envelope: signDecision(request, person.privateKey),
    note: 'a free text',
    decided: [],
    refusals: 0,
    ...change,
  };
}
