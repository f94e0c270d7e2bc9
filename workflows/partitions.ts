import { condition } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { type Partition, partitionPath } from '../contracts/names.ts';
import type { Answer, Failure, ObjectFault, PartitionsRequest } from '../contracts/stages.ts';
import { catchFailure, privateStages, publicStages } from './activities.ts';
import { waitForObjects } from './late-objects.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer, refusal } from './requests.ts';
import { orStall } from './stall.ts';

/** Runs ingest, reserve, bin and privatize until each partition is drawn or abandoned; people are waited for. */
export async function makePartitions(progress: ReleaseProgress): Promise<void> {
  const refuse = (request: PartitionsRequest): Failure | null => notFailed(progress, request);
  offer(progress, 'retryPartitions', (request) => retry(progress, request), refuse);
  offer(
    progress,
    'abandonPartitions',
    (request) => abandonFor(progress, request),
    (request) => refuse(request) ?? nothingToPublish(progress),
  );
  const wait = await waitForObjects(progress);
  await carry(progress);
  await attempt(progress, () => ingest(progress));
  let isLate = wait === 'over' && progress.plan.completeness?.otherwise === 'holes';
  for (;;) {
    // The private worker looks at no row before the charge, and makes no hole.
    if (progress.inState('pending').length > 0) {
      await reserveOnce(progress, 'bin');
      if (isLate) await leaveHoles(progress);
    }
    isLate = false;
    await Promise.all([bin(progress), shadow(progress)]);
    if (progress.inState('binned').length > 0) await reserveOnce(progress, 'privatize');
    await privatize(progress);
    if (progress.inState('failed').length === 0) return;
    progress.enter('partitions-failed', progress.stage);
    await condition(() => progress.inState('failed').length === 0 || isReady(progress));
  }
}

const isReady = (progress: ReleaseProgress): boolean =>
  progress.inState('pending').length > 0 || progress.inState('binned').length > 0;

/**
 * What has not come in time becomes named holes, as the series asks: before anything is drawn, and with an object-level
 * code (C16). When nothing at all has come, people decide, and so they do when it fails.
 */
async function leaveHoles(progress: ReleaseProgress): Promise<void> {
  const gaps = progress.inState('failed', 'OBJECT_MISSING');
  if (gaps.length > 0) await abandon(progress, gaps).catch(catchFailure);
}

/** Has the private worker make holes: it alone knows what its inventory says, and what may have been drawn (C16). */
async function abandon(progress: ReleaseProgress, partitions: Partition[]): Promise<void> {
  const holes = await privateStages.abandon({ ...progress.run, partitions });
  const failures = new Set(progress.inState('failed').map(partitionPath));
  for (const hole of holes) if (failures.has(partitionPath(hole))) progress.markHole(hole);
}

/** A correction draws only what people named; everything else was drawn under the version that it corrects. */
async function carry(progress: ReleaseProgress): Promise<void> {
  const { run, correction } = progress;
  if (!correction) return;
  const names = new Set(correction.partitions.map(partitionPath));
  const partitions = progress.plan.partitions.filter((partition) => !names.has(partitionPath(partition)));
  await orStall(progress, () => publicStages.carry({ ...run, correction, partitions }));
  for (const partition of partitions) progress.mark(partition, 'drawn');
}

/**
 * Where the policy asks for a clearance the release waits for it here, and goes on with a retry. Rounds and holes of a
 * release that ran before are those of the stores, whatever this workflow remembers.
 */
async function ingest(progress: ReleaseProgress): Promise<{ faults: ObjectFault[] }> {
  const isOrder = (code: ErrorCode): boolean => code === 'ORDER_MISSING';
  const outcome = await orStall(progress, () => privateStages.ingest({ ...progress.run, round: 0 }), isOrder);
  const { faults, round = 0, earlier = [], holes = [] } = outcome;
  progress.round = round;
  for (const { partition, round } of earlier) progress.markBinned(partition, round);
  progress.markFaults(faults);
  for (const hole of holes) progress.markHole(hole);
  return { faults };
}

async function bin(progress: ReleaseProgress): Promise<void> {
  const partitions = progress.inState('pending');
  if (partitions.length === 0) return;
  progress.enter('running', 'bin');
  await attempt(progress, () => privateStages.bin({ ...progress.run, round: progress.round, partitions }));
  for (const partition of progress.inState('pending')) progress.markBinned(partition);
}

/**
 * Tries the build that will draw, beside bin: it reads nothing of the release. A build that takes over in the middle of
 * the draws, or after a failure here, is tried by its first draw (C15).
 */
async function shadow(progress: ReleaseProgress): Promise<void> {
  if (progress.inState('pending').length > 0) await privateStages.shadow(progress.run).catch(catchFailure);
}

/** The charge of the whole release, before its first row; retries find the charge that is there (C12). */
async function reserveOnce(progress: ReleaseProgress, before: 'bin' | 'privatize'): Promise<void> {
  progress.enter('running', before);
  if (progress.charge) return;
  const { run, correction, plan } = progress;
  const partitions = correction?.partitions ?? plan.partitions;
  const { charge } = await orStall(progress, () => privateStages.reserve({ ...run, correction, partitions }));
  progress.charge = charge;
}

/**
 * Activities that draw at once: this many keep every host at work, and a release of any size has a history that fits.
 * Each takes as many partitions as it has to: one, unless there are very many.
 */
const DRAWS_AT_ONCE = 500;

async function privatize(progress: ReleaseProgress): Promise<void> {
  const { charge } = progress;
  if (!charge) return;
  const partitions = progress.inState('binned');
  const share = Math.ceil(partitions.length / DRAWS_AT_ONCE);
  const rounds = Map.groupBy(partitions, (partition) => progress.binnedRound(partition) ?? progress.round);
  const draws = [...rounds].flatMap(([round, own]) =>
    Array.from({ length: Math.ceil(own.length / share) }, (_, place) =>
      draw(progress, round, own.slice(place * share, (place + 1) * share), charge),
    ),
  );
  await Promise.all(draws);
}

/** Some partitions of one round. Of those that fail together some may be drawn; a retry finds their tables. */
async function draw(progress: ReleaseProgress, round: number, partitions: Partition[], charge: string): Promise<void> {
  try {
    for (const { partition } of await privateStages.privatize({ ...progress.run, round, partitions, charge }))
      progress.mark(partition, 'drawn');
  } catch (error) {
    // A draw may exist, and no object is at fault: people are not shown that they may abandon it (C16).
    const { code } = catchFailure(error);
    for (const one of partitions)
      progress.mark(one, 'failed', { code: code.startsWith('OBJECT_') ? 'UNEXPECTED' : code });
  }
}

/** A stage over objects: its faults, or its own failure, hold back partitions and never the release. */
async function attempt(progress: ReleaseProgress, stage: () => Promise<{ faults: ObjectFault[] }>): Promise<void> {
  try {
    progress.markFaults((await stage()).faults);
  } catch (error) {
    const { code } = catchFailure(error);
    for (const partition of progress.inState('pending')) progress.mark(partition, 'failed', { code });
  }
}

/** The failed partitions that the request names; all of them when it names none. */
const targetsOf = ({ partitions }: PartitionsRequest, progress: ReleaseProgress): Partition[] =>
  partitions.length > 0 ? partitions : progress.inState('failed');

async function retry(progress: ReleaseProgress, request: PartitionsRequest): Promise<Answer> {
  const partitions = targetsOf(request, progress);
  // Those that failed when they were drawn: a draw may exist, so they go on from the cells of their own round.
  const drawable = partitions.filter((partition) => progress.binnedRound(partition) !== null);
  const others = partitions.filter((partition) => !drawable.includes(partition));
  const { stage } = progress;
  progress.enter('running', 'ingest'); // from here on the validator refuses a second retry
  try {
    if (others.length > 0) await reingest(progress, others);
  } catch (error) {
    const failure = catchFailure(error);
    progress.enter('partitions-failed', stage);
    return { accepted: false, ...failure };
  }
  for (const partition of drawable) progress.mark(partition, 'binned');
  if (!isReady(progress)) progress.enter('partitions-failed', stage);
  return progress.accepted();
}

async function reingest(progress: ReleaseProgress, partitions: Partition[]): Promise<void> {
  const round = progress.round + 1;
  const { faults } = await privateStages.reingest({ ...progress.run, round, partitions });
  progress.round = round;
  for (const partition of partitions) progress.mark(partition, 'pending');
  progress.markFaults(faults);
}

async function abandonFor(progress: ReleaseProgress, request: PartitionsRequest): Promise<Answer> {
  const { stage } = progress;
  progress.enter('running', stage); // from here on a retry is refused, until it is known which of them are holes
  const failure = await abandon(progress, targetsOf(request, progress)).catch(catchFailure);
  if (progress.inState('failed').length > 0) progress.enter('partitions-failed', stage);
  return failure ? { accepted: false, ...failure } : progress.accepted();
}

const nothingToPublish = (progress: ReleaseProgress): Failure | null =>
  progress.charge !== null && progress.inState('drawn').length > 0
    ? null
    : refusal('USAGE', 'No partition is drawn, so there is nothing to publish; cancel the release.');

function notFailed(progress: ReleaseProgress, request: PartitionsRequest): Failure | null {
  const failures = new Set(progress.inState('failed').map(partitionPath));
  const wrong = request.partitions.map(partitionPath).find((path) => !failures.has(path));
  return wrong === undefined
    ? null
    : refusal('USAGE', `${wrong} is not a failed partition of this release; \`opaline show\` lists those.`);
}
