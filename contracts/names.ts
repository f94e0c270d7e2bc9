/** The stages, in order. */
export const STAGES = ['ingest', 'bin', 'privatize', 'derive', 'audit', 'gate', 'publish'] as const;
export type Stage = (typeof STAGES)[number];

const queuesOf = (ending: string) => ({ private: `opaline-private${ending}`, public: `opaline-public${ending}` });

/** The two sides have a task queue each; the workflow tasks are on the public one. */
export const TASK_QUEUES = queuesOf('');

/**
 * The queues of activities. From those of heavy ones a worker takes only what it can begin. Releases of back-fills have
 * queues and places of their own: they take none that people wait for.
 */
export const QUEUES = {
  usual: { light: TASK_QUEUES, heavy: queuesOf('-heavy') },
  patient: { light: queuesOf('-patient'), heavy: queuesOf('-patient-heavy') },
};

/** The Worker Deployment of each side in Temporal: its versions are the builds of the workers. */
export const WORKER_DEPLOYMENTS = { private: 'opaline-private', public: 'opaline' } as const;

/** This many hexadecimal digits of a digest distinguish builds, and a person can still read them out. */
export const BUILD_ID_LENGTH = 16;

/** Custom search attributes (all of type Keyword), registered when the server starts. */
export const SEARCH_ATTRIBUTES = { series: 'OpalineSeries', window: 'OpalineWindow', state: 'OpalineState' } as const;

/** One run for (series, window). `window` is the first day, YYYY-MM-DD; `version` starts at 1. */
export type ReleaseReference = { series: string; window: string; version: number };

/** What is drawn at once: one part of the data on one day, YYYY-MM-DD. What a part is, the kind of the series says. */
export type Partition = { part: string; day: string };

/** `my-series/2026-03-02/v1`: names a release in keys and to people. */
export const releasePath = (release: ReleaseReference): string =>
  `${release.series}/${release.window}/v${release.version}`;

/** The order of the releases of a series, by window, then version. */
export const newestFirst = (a: ReleaseReference, b: ReleaseReference): number =>
  a.window === b.window ? b.version - a.version : a.window < b.window ? 1 : -1;

export const releaseWorkflowId = (release: ReleaseReference): string => `release/${releasePath(release)}`;

/** A look at the sources of a release, of which one is enough at a time. */
export const sourceCheckWorkflowId = (release: ReleaseReference): string => `sources/${releasePath(release)}`;

export const retractWorkflowId = (release: ReleaseReference): string => `retract/${releasePath(release)}`;

/** `bus/2026-03-02` */
export const partitionPath = (partition: Partition): string => `${partition.part}/${partition.day}`;

/** Reads `series/window/vN`; null when the text is no release path. */
export function parseReleasePath(text: string): ReleaseReference | null {
  const match = /^([a-z0-9][a-z0-9-]*)\/(\d{4}-\d{2}-\d{2})\/v([1-9]\d*)$/.exec(text);
  return match ? { series: match[1]!, window: match[2]!, version: Number(match[3]) } : null;
}

const parseAfter =
  (prefix: string) =>
  (id: string): ReleaseReference | null =>
    id.startsWith(prefix) ? parseReleasePath(id.slice(prefix.length)) : null;

/** Priorities of Temporal, from 1 to 5: releases of a back-fill let everything go before them that people wait for. */
export const PRIORITY = { usual: 3, patient: 5 } as const;

/** The id under which a release begins in Temporal, and what Temporal lists of it. */
export const newRelease = (release: ReleaseReference) => ({
  workflowId: releaseWorkflowId(release),
  searchAttributes: {
    [SEARCH_ATTRIBUTES.series]: [release.series],
    [SEARCH_ATTRIBUTES.window]: [release.window],
    [SEARCH_ATTRIBUTES.state]: ['running'],
  },
  staticSummary: `Release ${releasePath(release)}`,
});

/** Reads what `releaseWorkflowId` wrote; null when the text is the id of no release. */
export const parseReleaseWorkflowId = parseAfter('release/');

/** Reads what `retractWorkflowId` wrote; null when the text is the id of no retraction. */
export const parseRetractWorkflowId = parseAfter('retract/');

/** Reads `part/YYYY-MM-DD`; null when the text is no partition path. */
export function parsePartitionPath(text: string): Partition | null {
  const match = /^([a-z0-9][a-z0-9-]*)\/(\d{4}-\d{2}-\d{2})$/.exec(text);
  return match ? { part: match[1]!, day: match[2]! } : null;
}

/**
 * Object keys of the private store: only the private worker has credentials for it. `round` counts the times that a
 * release was ingested: 0 at first, one more with each retry.
 */
export const PRIVATE_KEYS = {
  /** Orders that say which deliveries of a release count; the newest does. */
  clearance: (release: ReleaseReference, number: number) =>
    `clearances/${releasePath(release)}/${String(number).padStart(4, '0')}.json`,
  clearances: (release: ReleaseReference) => `clearances/${releasePath(release)}/`,
  /** Prefix of the inventories of all releases, and of one. */
  allInventories: 'inventory/',
  inventories: (release: ReleaseReference) => `inventory/${releasePath(release)}/`,
  inventory: (release: ReleaseReference, round: number) => `inventory/${releasePath(release)}/${round}.json`,
  /** Prefix of the cells of a release, of all rounds. */
  allCells: (release: ReleaseReference) => `cells/${releasePath(release)}/`,
  /** Exact counts of one partition. */
  cells: (release: ReleaseReference, round: number, partition: Partition) =>
    `cells/${releasePath(release)}/${round}/${partitionPath(partition)}.parquet`,
  /** The fault of an object that held a partition back when its rows were counted. */
  fault: (release: ReleaseReference, round: number, partition: Partition) =>
    `faults/${releasePath(release)}/${round}/${partitionPath(partition)}.json`,
  /** Prefix of the faults of a round. */
  faults: (release: ReleaseReference, round: number) => `faults/${releasePath(release)}/${round}/`,
  rejects: (release: ReleaseReference, round: number, object: number) =>
    `rejects/${releasePath(release)}/${round}/${object}.parquet`,
  /** What was read of an object and what was left out; exact (C5). */
  tally: (release: ReleaseReference, round: number, object: number) =>
    `tallies/${releasePath(release)}/${round}/${object}.json`,
  /** Prefix of the tallies of a round. */
  tallies: (release: ReleaseReference, round: number) => `tallies/${releasePath(release)}/${round}/`,
  /** What is to be reported to the custodian about a look at the source, and beside it a mark that it was reported. */
  warnings: (release: ReleaseReference, round: number, stage: 'ingest' | 'bin') =>
    `warnings/${releasePath(release)}/${round}/${stage}.json`,
  /** Prefix of the warnings of all releases. */
  allWarnings: 'warnings/',
  /** Draw record of C11: round and inventory, digests of input and parameters, charge id. */
  draw: (release: ReleaseReference, partition: Partition) =>
    `draws/${releasePath(release)}/${partitionPath(partition)}.json`,
  /** Prefix of the draw records of a release. */
  draws: (release: ReleaseReference) => `draws/${releasePath(release)}/`,
  /** The privatized table as drawn (C11), of which the release store holds a copy; or a hole in its place (C16). */
  privatized: (release: ReleaseReference, partition: Partition) =>
    `privatized/${releasePath(release)}/${partitionPath(partition)}.json`,
  /** Prefix of the draws and holes of a release. */
  allPrivatized: (release: ReleaseReference) => `privatized/${releasePath(release)}/`,
  /** What a custodian was shown of a source before a series over it was chosen (C17). */
  preview: (population: string, id: string) => `previews/${population}/${id}.json`,
  previews: (population: string) => `previews/${population}/`,
  /** Tallies of the shadow run of a release by one build of the private worker (C15). */
  shadow: (release: ReleaseReference, build: string) => `shadows/${releasePath(release)}/${build}.json`,
  /** Prefix of the shadow runs of a release, of all builds. */
  shadows: (release: ReleaseReference) => `shadows/${releasePath(release)}/`,
  /** A number of the policy that a private worker has gone by, so that one with a lower number stops. */
  policyNumber: (number: number) => `policies/${String(number).padStart(12, '0')}.json`,
  /** Prefix of the numbers of the policy. */
  policyNumbers: 'policies/',
  diagnostics: (id: string) => `diagnostics/${id}.json`,
  /** Risk report of raw data, of a window of a series or of a table of its own: exact, and for custodians alone. */
  risk: (of: { series: string; window: string } | null, id: string, format: 'json' | 'html') =>
    `risk/${of ? `${of.series}/${of.window}/` : ''}${id}.${format}`,
  /** Risk report beside a release: for custodians alone, and read by nothing. */
  releaseRisk: (release: ReleaseReference, format: 'json' | 'html') => `risk/${releasePath(release)}/report.${format}`,
} as const;

/** Prefixes of the private store that are needed until a release has ended; everything that is in no list is kept. */
const UNTIL_THE_END = ['cells', 'shadows', 'inventory', 'draws', 'faults'] as const;

/** Prefixes that are needed until a custodian has read what is there. */
export const REPORT_PREFIXES = ['rejects', 'tallies', 'warnings', 'risk', 'diagnostics'] as const;

/** All that a custodian may take away from the private store when its time is over. */
export const WORKING_PREFIXES: readonly string[] = [...UNTIL_THE_END, ...REPORT_PREFIXES];

/** Object keys of the release store: both workers read it; it holds nothing that is not public or about to be. */
export const RELEASE_KEYS = {
  series: (name: string, digest: string) => `series/${name}/${digest}.json`,
  /** Prefix of the files of all series: `series/<name>/…`. */
  allSeries: 'series/',
  /** Mutable: `{digest}` of the newest applied series file. */
  appliedSeries: (name: string) => `series/${name}/applied.json`,
  /** Policy keys' word that a series file may be run (C11a), by the digest of their bytes. */
  seriesSignature: (name: string, digest: string, signature: string) =>
    `series-signatures/${name}/${digest}/${signature}.json`,
  /** Prefix of the signatures of one series file, or of all files of a series. */
  seriesSignatures: (name: string, digest?: string) => `series-signatures/${name}/${digest ? `${digest}/` : ''}`,
  /** Prefix of the signatures of all series files, and of all orders. */
  allSeriesSignatures: 'series-signatures/',
  allOrders: 'orders/',
  /** Prefix of the orders of policy keys that concern a series, each by the digest of its bytes. */
  orders: (series: string) => `orders/${series}/`,
  /** Prefix of those that concern the ledger of a population. */
  ledgerOrders: (population: string) => `ledger-orders/${population}/`,
  dictionary: (digest: string) => `dictionaries/${digest}.csv`,
  /** Prefix of all public lists. */
  allDictionaries: 'dictionaries/',
  /** Prefix of the ledgers of all populations. */
  allLedgers: 'ledger/',
  ledgerPrefix: (population: string) => `ledger/${population}/`,
  ledgerEntry: (population: string, sequence: number) =>
    `ledger/${population}/${String(sequence).padStart(12, '0')}.json`,
  /** A version of the trust file as its roots signed it, by the digest of its bytes: whoever ends before it is behind. */
  trustVersion: (number: number, digest: string) => `${RELEASE_KEYS.trustVersions(number)}${digest}.json`,
  /** Prefix of what is stored as the version of a number. */
  trustVersions: (number: number) => `trust/${String(number).padStart(12, '0')}/`,
  /** Mutable: `{build}` of a side that was promoted last, by a person or by itself. */
  promotedBuild: (side: keyof typeof WORKER_DEPLOYMENTS) => `builds/${side}.json`,
  /**
   * Which workflow execution runs the release, by number: the server forgets, and may be lost. A release goes on in the
   * next one only when `plan` has proof that nothing of it runs.
   */
  execution: (release: ReleaseReference, number: number) =>
    `executions/${releasePath(release)}/${String(number).padStart(4, '0')}.json`,
  /** Prefix of the executions of all releases, of those of a series, and of one. */
  allExecutions: 'executions/',
  executions: (series: string) => `executions/${series}/`,
  executionsOf: (release: ReleaseReference) => `executions/${releasePath(release)}/`,
  /** Who started a release, as the console recorded it; whoever writes the store can name anybody. */
  starter: (release: ReleaseReference) => `starters/${releasePath(release)}.json`,
  /** When the gate of a release was opened over a manifest; from then on it expires. */
  gate: (release: ReleaseReference, manifestDigest: string) => `gates/${releasePath(release)}/${manifestDigest}.json`,
  /** Mutable: what people have set of the schedule of a series beside its file, since when, and why it is paused. */
  schedule: (series: string) => `schedules/${series}.json`,
  allSchedules: 'schedules/',
  /** Mutable: a back-fill that people have started, under its id, and the state that they have set. */
  backfill: (id: string) => `backfills/${id}.json`,
  allBackfills: 'backfills/',
  privatized: (release: ReleaseReference, partition: Partition) =>
    `privatized/${releasePath(release)}/${partitionPath(partition)}.json`,
  /** Prefix of the privatized tables of all releases, and of those of a series. */
  allDrawn: 'privatized/',
  privatizedOf: (series: string) => `privatized/${series}/`,
  /** Prefix of the privatized tables of a release, and of their receipts. */
  allPrivatized: (release: ReleaseReference) => `privatized/${releasePath(release)}/`,
  /** The private worker's word that it drew the table beside it (C11), or that there is a hole (C16). */
  receipt: (release: ReleaseReference, partition: Partition) =>
    `privatized/${releasePath(release)}/${partitionPath(partition)}.receipt.json`,
  /** The private worker's word on its shadow run, and the public worker's on its audit (C15). */
  shadowReceipt: (release: ReleaseReference, build: string) => `receipts/${releasePath(release)}/shadow/${build}.json`,
  /** Prefix of the receipts of the shadow runs of a release, of all builds. */
  shadowReceipts: (release: ReleaseReference) => `receipts/${releasePath(release)}/shadow/`,
  /** By the digest of draws, holes and declaration: a verdict on others neither counts nor takes the place. */
  auditReceipt: (release: ReleaseReference, inputs: string) => `receipts/${releasePath(release)}/audit/${inputs}.json`,
  /** Prefix of the receipts of all audits of a release. */
  auditReceipts: (release: ReleaseReference) => `receipts/${releasePath(release)}/audit/`,
  /** Files of an audit under a corrected declaration (C15), which are used instead of staged ones of the same name. */
  reaudited: (release: ReleaseReference, file: string) => `reaudits/${releasePath(release)}/${file}`,
  /** Prefix of the staged files of all releases. */
  allStaged: 'staging/',
  /** `build`: digest of the sources of the public worker that made the file, as the manifest names it. */
  staged: (release: ReleaseReference, build: string, file: string) =>
    `staging/${releasePath(release)}/${build}/${file}`,
  /** Prefix of the decisions on all releases. */
  allDecisions: 'decisions/',
  /** Prefix of the decisions on one release. */
  decisions: (release: ReleaseReference) => `decisions/${releasePath(release)}/`,
  decision: (release: ReleaseReference, digest: string) => `decisions/${releasePath(release)}/${digest}.json`,
  refusal: (release: ReleaseReference, sequence: number) =>
    `refusals/${releasePath(release)}/${String(sequence).padStart(4, '0')}.json`,
  /** Prefix of the refusals of a release. */
  refusals: (release: ReleaseReference) => `refusals/${releasePath(release)}/`,
  /** What somebody did in the console, or was refused; `name` begins with the moment, and so sorts by time. */
  consoleRecord: (name: string) => `console/${name}.json`,
  /** Prefix of the records of a day, YYYYMMDD. */
  consoleRecords: (day: string) => `console/${day}`,
} as const;

/** Object keys of the publication store: the world reads it. */
export const PUBLIC_KEYS = {
  file: (release: ReleaseReference, file: string) => `${releasePath(release)}/${file}`,
  /** Mutable pointer, written last. */
  latest: (series: string) => `${series}/latest.json`,
  /** A page of the series (mutable): made from the publications alone. */
  page: (series: string, page: string) => `${series}/${page}`,
  /** Prefix of everything that is published of a series. */
  series: (series: string) => `${series}/`,
} as const;

/** Files of a publication. */
export const FILES = {
  /** A table: each exists in both forms. */
  table: (table: string, form: 'csv' | 'parquet' = 'csv') => `${table}.${form}`,
  privacy: 'privacy.json',
  certificate: 'certificate.json',
  audit: 'audit.json',
  auditPage: 'audit.html',
  /** Of a release that was audited again under a corrected declaration (C15); the first audit is beside it. */
  secondAudit: 'audit-2.json',
  secondAuditPage: 'audit-2.html',
  statement: 'statement.md',
  /** What every column of every table is. */
  dictionary: 'data-dictionary.csv',
  /** Data Package v2, DCAT-3 and schema.org, for portals and programs. */
  dataPackage: 'datapackage.json',
  catalogue: 'dcat.jsonld',
  /** The same for portals that go by DCAT-AP 2. */
  olderCatalogue: 'dcat-ap-2.jsonld',
  schemaOrg: 'schema-org.jsonld',
  citation: 'CITATION.cff',
  /** The questions of NIST SP 800-226, answered. */
  guarantee: 'differential-privacy.md',
  readme: 'README.md',
  /** What the pages of the series say of the release. */
  summary: 'summary.json',
  manifest: 'manifest.json',
  attestation: 'attestation.json',
  checksums: 'SHA256SUMS',
  /** Tombstone: there only when the publication was retracted. */
  retraction: 'RETRACTED.json',
} as const;
