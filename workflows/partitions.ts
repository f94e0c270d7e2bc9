import { condition, isCancellation } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { type Partition, partitionPath } from '../contracts/names.ts';
import type { Answer, ObjectFault, PartitionsRequest } from '../contracts/stages.ts';
import { ledgerStages, privateStages, publicStages } from './activities.ts';
import { failureCode } from './failure-code.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { orStall } from './stall.ts';
import { offer } from './update.ts';
import { waitForObjects } from './wait-for-objects.ts';

/** Runs ingest, reserve, bin and privatize until each partition is drawn or abandoned; people are waited for. */
export async function makePartitions(progress: ReleaseProgress): Promise<void> {
  offerRetry(progress);
  offerAbandon(progress);
  const wait = await waitForObjects(progress);
  await carry(progress);
  await attempt(progress, () => privateStages.ingest({ ...progress.run, round: 0 }));
  if (wait === 'over' && progress.plan.completeness?.otherwise === 'holes') leaveHoles(progress);
  for (;;) {
    // The private worker looks at no row before the charge.
    if (progress.inState('pending').length > 0) await reserveOnce(progress, 'bin');
    await bin(progress);
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
 * code (C16). When nothing at all has come, people decide.
 */
function leaveHoles(progress: ReleaseProgress): void {
  if (progress.inState('pending').length === 0) return;
  for (const partition of progress.inState('failed')) {
    const { code, object } = progress.of(partition);
    if (code === 'OBJECT_MISSING') progress.mark(partition, 'abandoned', { code, object });
  }
}

/** A correction draws only what people named; everything else was drawn under the version that it corrects. */
async function carry(progress: ReleaseProgress): Promise<void> {
  const { run, correction } = progress;
  if (!correction) return;
  const named = new Set(correction.partitions.map(partitionPath));
  const partitions = progress.plan.partitions.filter((partition) => !named.has(partitionPath(partition)));
  const draws = await orStall(progress, () => publicStages.carry({ ...run, correction, partitions }));
  for (const draw of draws) progress.markDrawn(draw);
}

async function bin(progress: ReleaseProgress): Promise<void> {
  const partitions = progress.inState('pending');
  if (partitions.length === 0) return;
  progress.enter('running', 'bin');
  await attempt(progress, () => privateStages.bin({ ...progress.run, round: progress.round, partitions }));
  for (const partition of progress.inState('pending')) progress.markBinned(partition);
}

/** The charge of the whole release, before its first row; retries find the charge that is there (C12). */
async function reserveOnce(progress: ReleaseProgress, before: 'bin' | 'privatize'): Promise<void> {
  progress.enter('running', before);
  if (progress.charge) return;
  const partitions = progress.correction?.partitions ?? progress.plan.partitions;
  const { charge } = await orStall(progress, () => ledgerStages.reserve({ ...progress.run, partitions }));
  progress.charge = charge;
}

async function privatize(progress: ReleaseProgress): Promise<void> {
  const { run, charge } = progress;
  if (!charge) return;
  await Promise.all(
    progress.inState('binned').map(async (partition) => {
      const round = progress.binnedRound(partition) ?? progress.round;
      try {
        progress.markDrawn(await privateStages.privatize({ ...run, round, partition, charge }));
      } catch (error) {
        if (isCancellation(error)) throw error;
        // A draw may exist: never an object-level code, which would allow the partition to be abandoned (C16).
        const { code } = failureCode(error);
        progress.mark(partition, 'failed', { code: isObjectLevel(code) ? 'UNEXPECTED' : code });
      }
    }),
  );
}

/** A stage over objects: its faults, or its own failure, hold back partitions and never the release. */
async function attempt(progress: ReleaseProgress, stage: () => Promise<{ faults: ObjectFault[] }>): Promise<void> {
  try {
    progress.markFaults((await stage()).faults);
  } catch (error) {
    if (isCancellation(error)) throw error;
    const { code } = failureCode(error);
    for (const partition of progress.inState('pending')) progress.mark(partition, 'failed', { code });
  }
}

function offerRetry(progress: ReleaseProgress): void {
  offer(
    progress,
    'retryPartitions',
    async (request): Promise<Answer> => {
      const wanted = named(progress, request);
      const drawable = atTheDraw(progress, wanted);
      const partitions = wanted.filter((partition) => !drawable.includes(partition));
      const { stage } = progress;
      progress.enter('running', 'ingest'); // from here on the validator refuses a second retry
      try {
        if (partitions.length > 0) await reingest(progress, partitions);
        for (const partition of drawable) progress.mark(partition, 'binned');
        if (!isReady(progress)) progress.enter('partitions-failed', stage);
      } catch (error) {
        if (isCancellation(error)) throw error;
        progress.enter('partitions-failed', stage);
        return { accepted: false, ...failureCode(error) };
      }
      return { accepted: true, state: progress.state };
    },
    inBothPlaces((request) => notFailed(progress, request)),
  );
}

/** Partitions that failed when they were drawn: a draw may exist, so they go on from the cells of their own round. */
function atTheDraw(progress: ReleaseProgress, partitions: readonly Partition[]): Partition[] {
  return partitions.filter((partition) => progress.binnedRound(partition) !== null);
}

async function reingest(progress: ReleaseProgress, partitions: Partition[]): Promise<void> {
  const round = progress.round + 1;
  const { faults } = await privateStages.reingest({ ...progress.run, round, partitions });
  progress.round = round;
  for (const partition of partitions) progress.mark(partition, 'pending');
  progress.markFaults(faults);
}

function offerAbandon(progress: ReleaseProgress): void {
  offer(
    progress,
    'abandonPartitions',
    (request): Answer => {
      for (const partition of named(progress, request)) {
        const { code, object } = progress.of(partition);
        progress.mark(partition, 'abandoned', { code: code ?? 'UNEXPECTED', object });
      }
      return { accepted: true, state: progress.state };
    },
    inBothPlaces((request) => notFailed(progress, request) ?? notAbandonable(progress, request)),
  );
}

/** Asked by the validator, and again when the request is served: a retry may have changed the partitions meanwhile. */
function inBothPlaces(mistake: (request: PartitionsRequest) => string | null) {
  const refusal = (request: PartitionsRequest) => {
    const message = mistake(request);
    return message ? { code: 'USAGE' as const, message } : null;
  };
  return { turnAway: refusal, again: refusal };
}

const isObjectLevel = (code: ErrorCode): boolean => code.startsWith('OBJECT_');

/** C16: only with an object-level code, and while no draw can exist. */
function notAbandonable(progress: ReleaseProgress, request: PartitionsRequest): string | null {
  if (progress.draws().length === 0)
    return 'No partition is drawn, so there is nothing to publish; cancel the release.';
  const wrong = named(progress, request).find(
    (partition) =>
      !isObjectLevel(progress.of(partition).code ?? 'UNEXPECTED') || progress.binnedRound(partition) !== null,
  );
  return wrong
    ? `${partitionPath(wrong)} did not fail because of an object, so a draw of it may exist; retry it instead.`
    : null;
}

/** The failed partitions that the request names; all of them when it names none. */
function named(progress: ReleaseProgress, request: PartitionsRequest): Partition[] {
  return request.partitions.length > 0 ? request.partitions : progress.inState('failed');
}

function notFailed(progress: ReleaseProgress, request: PartitionsRequest): string | null {
  const failed = new Set(progress.inState('failed').map(partitionPath));
  const wrong = request.partitions.find((partition) => !failed.has(partitionPath(partition)));
  return wrong
    ? `${partitionPath(wrong)} is not a failed partition of this release; \`opaline show\` lists those.`
    : null;
}
