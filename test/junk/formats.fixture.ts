import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { approvers } from '../../activities/public/approvers.ts';
import { decide } from '../../activities/public/decide.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { publish } from '../../client/verify/forgery.fixture.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { RELEASE_ACTIONS } from '../../contracts/release-state.ts';
import {
  isReleaseMoved,
  wrongActivityInput,
  wrongBackfill,
  wrongReleaseInput,
  wrongRequest,
  wrongScheduledInput,
} from '../../contracts/sent-values.ts';
import type { DecideRequest } from '../../contracts/stages.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { readTrustChain } from '../../services/trust/trust-chain.ts';
import { GateScreen } from '../../workflows/gate-screen.ts';
import { newFolder } from '../support/new-folder.ts';
import { writeSmallSeries } from '../support/small-series.ts';
import { testPolicy } from '../support/test-custody.ts';
import { testDecision, testRelease } from '../support/test-release.ts';
import { ada, rootKey, TEST_CHAIN, trustFile, trustVersion } from '../support/trust-files.ts';
import { mutatedBytes, mutatedText, type numbers } from './mutation.fixture.ts';

/** In the data of every source; it must not be in anything that leaves the custodian side. */
export const CANARY = 'CANARY7f3a';

/** One format of the outside, ready to be fed. */
export type Fed = {
  /** A mutated input. */
  mutated(random: ReturnType<typeof numbers>): Buffer;
  /**
   * Feeds inputs to what reads them, and gives what is answered, as text. Throws when one does what no input may do; an
   * OpalineError is an answer.
   */
  feed(inputs: readonly Buffer[]): Promise<string>;
};

/** A format: its name, how many inputs are fed at once, and how it is opened. A further one is one line of the table. */
export type Format = { name: string; atOnce: number; open(): Promise<Fed> };

export const FORMATS: readonly Format[] = [
  { name: 'updates and starts', atOnce: 1, open: openUpdates },
  { name: 'decisions', atOnce: 1, open: openDecisions },
  { name: 'series files', atOnce: 1, open: openSeries },
  { name: 'manifests', atOnce: 1, open: () => openPublished('manifest.json') },
  { name: 'attestations', atOnce: 1, open: () => openPublished('attestation.json') },
  { name: 'trust files', atOnce: 1, open: openTrust },
  { name: 'policy files', atOnce: 1, open: openPolicy },
  { name: 'CSV', atOnce: 20, open: () => openSource('csv') },
  { name: 'JSON lines', atOnce: 20, open: () => openSource('jsonl') },
  { name: 'Parquet', atOnce: 20, open: () => openSource('parquet') },
];

/** The answer of what may refuse with a code. */
async function answered(action: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await action) ?? '';
  } catch (error) {
    if (error instanceof OpalineError) return `${error.code} ${error.message}`;
    throw error;
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return bytes.toString();
  }
}

async function openUpdates(): Promise<Fed> {
  const run = { series: 'small', window: '2026-03-02', version: 1, seriesDigest: 'ab'.repeat(32) };
  const partitions = [{ part: 'bus', day: '2026-03-02' }];
  const value = {
    ...run,
    correction: { of: 1, partitions, reason: 'object-late' },
    partitions,
    subject: 'ops',
    id: 'small/x',
    atOnce: 2,
    state: 'running',
    windows: [{ window: run.window, state: 'to-do' }],
    draws: [{ partition: partitions[0], digest: run.seriesDigest }],
    round: 0,
    charge: 'c',
  };
  return {
    mutated: (random) => mutatedText(value, random),
    feed: async ([bytes]) => {
      const sent = parsed(bytes!);
      const told = [
        ...[wrongReleaseInput(sent), wrongBackfill(sent), wrongScheduledInput(sent), isReleaseMoved(sent)],
        ...RELEASE_ACTIONS.map((action) => wrongRequest(action, sent, [])),
        ...['derive', 'privatize', 'scheduledWindow', 'nothing'].map((activity) => wrongActivityInput(activity, sent)),
      ];
      if (told.some((one) => typeof one === 'string' && one.length > 200))
        throw new Error('an answer repeats the input');
      return JSON.stringify(told);
    },
  };
}

async function openDecisions(): Promise<Fed> {
  const release = await testRelease();
  const { context, run } = release;
  const manifestDigest = 'ab'.repeat(32);
  const honest = testDecision(run, manifestDigest, ada, {}, {});
  const request: DecideRequest = { envelope: honest.envelope, note: 'a note' };
  const screen = new GateScreen();
  const known = await approvers(context, run);
  if (!known.approvers.some(({ subject }) => subject === ada.subject)) throw new Error('nobody can decide');
  screen.approvers = known;
  return {
    mutated: (random) => mutatedText(request, random),
    feed: async ([bytes]) => {
      const sent = parsed(bytes!) as DecideRequest;
      const turnedAway =
        wrongRequest('approve', sent, []) ??
        screen.refusal(sent.envelope, { ...run, manifestDigest, gate: 'publication', action: 'approve' }, 0);
      const isHonest = JSON.stringify(sent?.envelope) === JSON.stringify(honest.envelope);
      if (!turnedAway && !isHonest) throw new Error('a decision that nobody signed has passed the gate');
      // What the gate turns away is judged all the same, as if somebody had called the activity.
      if (typeof sent !== 'object' || sent === null || isHonest) return JSON.stringify(turnedAway);
      const answer = await answered(decide(context, { ...honest, envelope: sent.envelope, note: sent.note }));
      if (answer.includes('"accepted":true') || answer.includes('"recorded":true')) throw new Error(answer);
      return answer;
    },
  };
}

async function openSeries(): Promise<Fed> {
  const folder = newFolder();
  const { file } = await writeSmallSeries(folder);
  const honest = await readFile(file);
  return {
    mutated: (random) => mutatedBytes(honest, random),
    feed: async ([bytes]) => {
      await writeFile(file, bytes!);
      return answered(loadSeriesFile(file).then(({ digest }) => digest));
    },
  };
}

async function openTrust(): Promise<Fed> {
  const file = trustFile(signDocument(trustVersion(), rootKey.privateKey));
  const [honest] = readTrustChain(file);
  return {
    mutated: (random) => mutatedText(JSON.parse(file.toString()), random),
    feed: async ([bytes]) => {
      const answer = await answered(Promise.resolve().then(() => readTrustChain(bytes!)));
      const isHonest = answer === JSON.stringify([honest]);
      if (!answer.startsWith('TRUST_INVALID ') && !isHonest)
        throw new Error('a trust file that no root signed is read');
      return answer;
    },
  };
}

async function openPolicy(): Promise<Fed> {
  const folder = newFolder();
  const file = join(folder, 'policy.yaml');
  const honest = Buffer.from(stringify(testPolicy().policy));
  return {
    mutated: (random) => mutatedBytes(honest, random),
    feed: async ([bytes]) => {
      await writeFile(file, bytes!);
      const answer = await answered(readPolicyFile(file).then(({ numbered }) => numbered.digest));
      if (answer.includes('BEGIN PUBLIC KEY')) throw new Error('an answer repeats a key');
      return answer;
    },
  };
}

async function openPublished(name: string): Promise<Fed> {
  const honest = await publish();
  const folder = join(dirname(honest), 'mutated');
  await cp(honest, folder, { recursive: true });
  const bytes = await readFile(join(honest, name));
  return {
    mutated: (random) => mutatedText(JSON.parse(bytes.toString()), random),
    feed: async ([mutated]) => {
      await writeFile(join(folder, name), mutated!);
      const { verified, checks } = await verifyPublication(folder, TEST_CHAIN);
      if (verified && !mutated!.equals(bytes)) throw new Error(`a publication with another ${name} verifies`);
      return checks.map(({ sentence }) => sentence).join('\n');
    },
  };
}

const DAYS = ['2026-03-02', '2026-03-03'];
const HEAD = 'on_time,on_location,off_time,off_location\n';
const rows = (day: string): string => `${`${day} 08:00,2000,${day} 08:20,2010\n`.repeat(5)}${day} 09:00,${CANARY},,\n`;
const lines = (day: string): string =>
  `${JSON.stringify({ on_time: `${day} 08:00`, on_location: '2000', off_time: null, off_location: CANARY })}\n`.repeat(
    6,
  );

/** A day of honest objects, and a day whose objects are mutated: they may be at fault, and the other day may not. */
async function openSource(format: 'csv' | 'jsonl' | 'parquet'): Promise<Fed> {
  const pattern = `{date}/{mode}_*.${format}`;
  const open = async () => {
    const bench = await StageBench.open({ modes: ['bus'], days: 2, unit: 'tap', source: { format, pattern } });
    if (format === 'parquet') await bench.deliverParquet('2026-03-02/bus_0.parquet', table(DAYS[0]!));
    else await bench.deliver(`2026-03-02/bus_0.${format}`, text(DAYS[0]!));
    return bench;
  };
  const text = (day: string) => (format === 'csv' ? `${HEAD}${rows(day)}` : lines(day));
  const table = (day: string) => `SELECT TIMESTAMP '${day} 08:00' AS on_time, '2000' AS on_location,
    TIMESTAMP '${day} 08:20' AS off_time, '${CANARY}' AS off_location FROM range(50)`;
  const made = await open();
  if (format === 'parquet') await made.deliverParquet('2026-03-03/bus_0.parquet', table(DAYS[1]!));
  else await made.deliver(`2026-03-03/bus_0.${format}`, text(DAYS[1]!));
  const honest = await made.sourceBytes(`2026-03-03/bus_0.${format}`);
  await made.close();
  return {
    mutated: (random) => mutatedBytes(honest, random),
    feed: async (inputs) => {
      const bench = await open();
      try {
        for (const [index, bytes] of inputs.entries()) await bench.deliver(`2026-03-03/bus_${index}.${format}`, bytes);
        const answers = [await answered(bench.ingest()), await answered(bench.bin())].join('\n');
        if ((await bench.cells('bus', DAYS[0]!)).length === 0) throw new Error(`an honest day is lost: ${answers}`);
        return answers;
      } finally {
        await bench.close();
      }
    },
  };
}
