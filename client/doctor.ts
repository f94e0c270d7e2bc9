import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import {
  FILES,
  parseReleaseWorkflowId,
  parseRetractWorkflowId,
  RELEASE_KEYS,
  releasePath,
  SEARCH_ATTRIBUTES,
} from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import { inWords, RELEASE_STATE_TABLE } from '../contracts/release-state.ts';
import { unreadPopulation, unreadSentence } from '../services/ledger/ledger.ts';
import { keysBelow } from '../services/stores/json-objects.ts';
import { openStore } from '../services/stores/open-store.ts';
import { serverOptions } from '../services/temporal/connection.ts';
import { promote } from '../services/temporal/current-version.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { buildsText, type LiveBuild, liveBuilds, mixtures } from './builds.ts';
import type { Diagnosis } from './diagnosis.ts';
import { findLost } from './lost-work.ts';
import { askTemporal } from './opaline-client.ts';
import { listFailingStages, reportFailure } from './release/failing-stages.ts';
import { findPublication, reportAbsence } from './release/publications.ts';
import { setUpTemporal } from './set-up-temporal.ts';
import { markFindings } from './tampering/execution-marks.ts';
import { tamperFindings } from './tampering/tampering.ts';
import { listWorkflowIds, on } from './workflow-calls.ts';

const PINNED = 1;

/**
 * Looks at an installation and changes nothing. No finding: it is healthy. With `thorough` every object of the releases
 * that have ended is read, too.
 */
export async function diagnose(deployment: ClientDeployment, { thorough = false } = {}): Promise<Diagnosis[]> {
  const store = openStore(deployment.releaseStore);
  const answer = store.list(RELEASE_KEYS.allSeries)[Symbol.asyncIterator]().next();
  const findings = await answer.then(
    () => diagnoseStore(deployment, thorough).catch((error) => trustFinding(error, store)),
    () => null,
  );
  const diagnoses = findings ?? [NO_STORE];
  const ask = async (client: Client) => {
    for await (const finding of temporalFindings(client, deployment, findings && store)) diagnoses.push(finding);
  };
  await askTemporal(deployment.temporal, ask).catch((error) => diagnoses.push(noTemporal(error)));
  return diagnoses;
}

const NO_STORE: Diagnosis = {
  sentence:
    'The release store does not answer, or the client has no rights to list it. Mend it, or `releaseStore` in the deployment file, until this answers:',
  command: 'opaline ledger show',
};

function noTemporal(error: unknown): Diagnosis {
  if (!(error instanceof OpalineError) || error.code !== 'SERVER_UNAVAILABLE') throw error;
  return { sentence: error.message, command: 'opaline up' };
}

async function* temporalFindings(
  client: Client,
  deployment: ClientDeployment,
  store: ObjectStore | null,
): AsyncGenerator<Diagnosis> {
  const { temporal } = deployment;
  const { isThere, missing } = await setUpTemporal(temporal, { checkOnly: true });
  yield* missing.map((sentence) => ({ sentence, command: 'opaline temporal setup' }));
  if (!isThere) return;
  const builds = await liveBuilds(client);
  for (const side of ['private', 'public'] as const) yield* workerFindings(side, builds[side]);
  yield* runFindings(client, { at: serverOptions(temporal), builds: new Set(builds.public.live.keys()), store });
  if (store) yield* markFindings(client, store);
  // What is wrong with a ledger or the trust file was found before.
  if (store) yield* await diagnoseLosses(client, deployment).catch(on(OpalineError, () => []));
  // Temporal refuses a question about an attribute that it does not have.
  if (missing.length === 0) yield* diagnosePublications(client, deployment);
}

/** What the stores say is to go on and Temporal has nothing of, with the one command that brings back all of it. */
async function diagnoseLosses(temporal: Client, { releaseStore, trust }: ClientDeployment): Promise<Diagnosis[]> {
  const client = { temporal, releaseStore: openStore(releaseStore), trust: trustReader(trust, true) };
  const { releases, schedules, backfills } = await findLost(client);
  const sentences = [
    [releases.map(({ reserve }) => reserve.release), 'charged, has not ended, and no workflow of it is open'],
    [schedules.map((name) => `the schedule of ${name}`), 'not in Temporal: nothing starts its releases'],
    [backfills.map(({ id }) => `the back-fill ${id}`), 'not in Temporal, and has windows that were not started'],
  ] as const;
  return sentences.flatMap(([names, what]) =>
    names.map((name) => ({ sentence: `${name} is ${what}.`, command: 'opaline resume --all' })),
  );
}

/** Releases that Temporal says are published, and that are not where publications are read. */
async function* diagnosePublications(client: Client, deployment: ClientDeployment): AsyncGenerator<Diagnosis> {
  const { publications, trust } = deployment;
  const place = { publications: publications ?? null, trust: trustReader(trust, true) };
  for (const workflowId of await listWorkflowIds(client, `${SEARCH_ATTRIBUTES.state} = 'published'`)) {
    const release = parseReleaseWorkflowId(workflowId);
    const publication = release && (await findPublication(place, release).catch(() => null));
    if (release && publication?.isThere === false)
      yield { sentence: reportAbsence(release, publication), command: `opaline retry ${releasePath(release)}` };
  }
}

/**
 * Makes a build of either side current by a person's decision, such as an upgrade or a rollback. Throws SETUP_FAILED
 * without a worker of it.
 */
export async function makeCurrent({ temporal, releaseStore }: ClientDeployment, buildId: string): Promise<void> {
  const { namespace } = temporal;
  return askTemporal(temporal, async (client) => {
    const builds = await liveBuilds(client);
    const side = (['private', 'public'] as const).find((one) => builds[one].live.has(buildId));
    if (!side) throw new OpalineError('SETUP_FAILED', `No live worker is of build ${buildId}; start one of it first.`);
    await promote(client.workflowService, openStore(releaseStore), { namespace, side, buildId });
  });
}

/** A stage writes one object after the other: what is found between two of them is gone a moment later. */
const LASTS_MS = 1_000;

/** Objects of the release store that are not what their digests and signatures say, and that stay so. */
async function diagnoseStore(deployment: ClientDeployment, thorough: boolean): Promise<Diagnosis[]> {
  const chain = await trustReader(deployment.trust, true)();
  const find = () => tamperFindings(openStore(deployment.releaseStore), chain, { thorough });
  const findings = await find();
  if (findings.length === 0) return [];
  await delay(LASTS_MS);
  const again = new Set((await find()).map(({ sentence }) => sentence));
  return findings.filter(({ sentence }) => again.has(sentence));
}

/**
 * Without a trust file nobody can say whose entries they are; the rest is looked at all the same. In a folder of an older
 * build the trust file has another form too, and to mend it alone would not help.
 */
async function trustFinding(error: unknown, store: ObjectStore): Promise<Diagnosis[]> {
  if (!(error instanceof OpalineError) || error.code !== 'TRUST_INVALID') throw error;
  const population = await unreadPopulation(store);
  if (population !== null)
    return [{ sentence: unreadSentence(population, store.location), command: 'opaline up --reset' }];
  return [{ sentence: error.message, command: 'opaline check trust.json' }];
}

const WITHOUT = {
  private: 'No private worker is alive: nothing is ingested or drawn.',
  public: 'No public worker is alive: no release goes on.',
};

function* workerFindings(side: keyof typeof WITHOUT, { live, current }: LiveBuild): Generator<Diagnosis> {
  const [alive] = live.keys();
  if (!alive) return yield { sentence: WITHOUT[side], command: `opaline worker ${side} ${side}.json` };
  if (current && live.has(current)) return;
  const sentence = current
    ? `Build ${current} is current on the ${side} side, and no live worker is of it: start one, or make the live build current.`
    : `No build is current on the ${side} side: no task is taken up there.`;
  yield { sentence, command: `opaline doctor --make-current ${alive}` };
}

/**
 * With what runs are looked at: options of the command `temporal` that name the server, the builds that are alive, and
 * the release store; null: it does not answer.
 */
type Look = { at: string; builds: ReadonlySet<string>; store: ObjectStore | null };

/** Open runs that cannot go on: under a build that nobody runs, or whose last task the code could not do. */
async function* runFindings(client: Client, look: Look): AsyncGenerator<Diagnosis> {
  const { at, builds } = look;
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    const description = await client.workflow.getHandle(workflowId).describe();
    const { raw } = description;
    const { behavior, deploymentVersion, versioningOverride } = raw.workflowExecutionInfo?.versioningInfo ?? {};
    const buildId = deploymentVersion?.buildId;
    const ownBuild = behavior === PINNED ? buildId : null;
    const bound = versioningOverride ? versioningOverride.pinned?.version?.buildId : ownBuild;
    if (bound && !builds.has(bound))
      yield {
        sentence: `${workflowId} is bound to build ${bound}, and no live worker is of it.`,
        command: `temporal workflow update-options ${at} --workflow-id ${workflowId} --versioning-override-behavior auto_upgrade`,
      };
    else if ((raw.pendingWorkflowTask?.attempt ?? 1) > 1) yield stuckFinding(workflowId, buildId ?? null, look);
    else {
      yield* stageFindings(description);
      yield* diagnoseGate(description, look);
    }
  }
}

/** A release at its gate whose manifest is gone, as after a restore of the release store: nobody can sign it. */
async function* diagnoseGate(run: WorkflowExecutionDescription, { at, store }: Look): AsyncGenerator<Diagnosis> {
  const release = parseReleaseWorkflowId(run.workflowId);
  if (!store || !release || run.searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] !== 'waiting') return;
  const name = releasePath(release);
  const keys = await keysBelow(store, `${RELEASE_KEYS.allStaged}${name}/`);
  if (keys.some((key) => key.endsWith(`/${FILES.manifest}`))) return;
  yield {
    sentence: `${name} waits at its gate, and what people are to sign is not in the release store. End its workflow; then \`opaline resume ${name}\` brings it to its gate again, at 0 ε.`,
    command: `temporal workflow terminate ${at} --workflow-id ${run.workflowId}`,
  };
}

/** Failures of a stage after which it is named; a store that is started again makes two or three. */
const FAILURES_REPORTED = 4;

/** A release, or a retraction, of which a stage fails: it is tried again, or waits for people. */
function stageFindings(description: WorkflowExecutionDescription): Diagnosis[] {
  const { workflowId, searchAttributes } = description;
  const release = parseReleaseWorkflowId(workflowId) ?? parseRetractWorkflowId(workflowId);
  if (!release) return [];
  const name = releasePath(release);
  const command = `opaline explain ${name}`;
  const state = searchAttributes[SEARCH_ATTRIBUTES.state]?.[0];
  if (state === 'stalled' || state === 'ending-stalled')
    return [{ sentence: `${workflowId} is ${inWords(state)}: ${RELEASE_STATE_TABLE[state].meaning}`, command }];
  return listFailingStages(description)
    .filter(({ failed }) => failed >= FAILURES_REPORTED)
    .map((stage) => ({ sentence: `${workflowId} does not go on: ${reportFailure(stage)}`, command }));
}

/** A run whose workflow task fails: `before` is the build of the last task that succeeded; null: none has. */
function stuckFinding(workflowId: string, before: string | null, { at, builds }: Look): Diagnosis {
  const what = `${workflowId} cannot go on: its workflow task fails again and again under the current build; nothing is lost.`;
  if (!before)
    return {
      sentence: `${what} No build has taken it up yet.`,
      command: `temporal workflow describe ${at} --workflow-id ${workflowId}`,
    };
  const next = builds.has(before)
    ? `Go back to build ${before}, under which it went on.`
    : `It went on under build ${before}: start a public worker of that commit, then make it current.`;
  return { sentence: `${what} ${next}`, command: `opaline doctor --make-current ${before}` };
}

/** The builds of the workers, and the open releases that several of them drew; none where Temporal does not answer. */
export async function buildLines({ temporal, releaseStore }: ClientDeployment): Promise<string[]> {
  const lines = askTemporal(temporal, async (client) => {
    const builds = await liveBuilds(client);
    const releases = await mixtures(client, openStore(releaseStore));
    return [
      ...(['private', 'public'] as const).map((side) => buildsText(side, builds[side])),
      ...releases.map(
        (one) => `${one.release} was drawn by several builds, each with a shadow run: ${one.builds.join(', ')}`,
      ),
    ];
  });
  return lines.catch(() => []); // a namespace that is not there, or a store that does not answer: a finding says so
}

/** What to do next in an installation where nothing was applied or released yet; none in one that is in use. */
export async function firstSteps({ releaseStore }: ClientDeployment): Promise<string[]> {
  for await (const _ of openStore(releaseStore).list(RELEASE_KEYS.allSeries)) return [];
  return [
    'opaline check SERIES.yaml',
    'opaline run SERIES.yaml --window YYYY-MM-DD --dry-run',
    'opaline schedule apply SERIES.yaml',
  ];
}
