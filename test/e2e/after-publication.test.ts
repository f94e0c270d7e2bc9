import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { retractionStatus } from '../../client/release/retract-release.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import {
  FILES,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
  retractWorkflowId,
  TASK_QUEUES,
} from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readBytes, readJson } from '../../services/stores/json-objects.ts';
import { correctRelease } from '../support/correct-release.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, smallTrips, writeSmallSeries, writeTrips } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;
beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

describe('a correction', () => {
  let first: Run;
  const redrawn = [{ part: 'bus', day: '2026-03-02' }];

  beforeAll(async () => {
    first = await startSmall(stack.client, series);
    await reaches(stack.client, first, ['waiting']);
  });
  const privatized = (release: ReleaseReference, mode: string, day: string): Promise<Buffer> =>
    readBytes(stack.client.releaseStore, RELEASE_KEYS.privatized(release, { part: mode, day }));

  test('a release that has not ended is not corrected', async () => {
    const attempt = correctRelease(stack.client, first, redrawn, 'object-late');
    await expect(attempt).rejects.toMatchObject({ code: 'ACTION_NOT_OFFERED' });
  });

  test('C13: a correction redraws and charges what people named and carries the rest over byte for byte', async () => {
    await decideSmall(stack.client, series, first, 'approve');
    await reaches(stack.client, first, ['published']);
    const more = smallTrips('2026-03-02', 'bus').replaceAll('stop-2', 'stop-1');
    await writeTrips(stack.source, '2026-03-02', 'bus', more);
    // Named twice, by mistake: it is drawn and charged once.
    const second = await correctRelease(stack.client, first, [...redrawn, ...redrawn], 'object-corrected');
    expect(releasePath(second)).toBe('small/2026-03-02/v2');
    const waiting = await reaches(stack.client, second, ['waiting', 'failed', 'partitions-failed']);
    expect(waiting).toMatchObject({ state: 'waiting', verdict: 'pass', correction: { of: 1 } });

    for (const { part: mode, day } of waiting.partitions) {
      const same = (await privatized(first, mode, day)).equals(await privatized(second, mode, day));
      expect(same, partitionPath({ part: mode, day })).toBe(`${mode}/${day}` !== 'bus/2026-03-02');
    }
    const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
    const reserves = entries.filter((entry) => entry.kind === 'reserve');
    expect(reserves.map(({ blocks }) => blocks.length)).toEqual([6, 1]);
    expect(reserves[1]?.blocks[0]).toMatchObject(redrawn[0]!);

    const manifest = await readJson(
      stack.client.releaseStore,
      RELEASE_KEYS.staged(second, STACK_BUILD, FILES.manifest),
      manifestSchema,
    );
    expect(manifest.correction).toEqual({ of: 1, reason: 'object-corrected', redrawn: ['bus/2026-03-02'] });
    expect(await decideSmall(stack.client, series, { ...first, version: 2 }, 'approve')).toMatchObject({
      accepted: true,
    });
    await reaches(stack.client, second, ['published']);
    const folder = join(stack.files.publication, releasePath(second));
    expect((await verifyPublication(folder)).checks.filter(({ ok }) => !ok)).toEqual([]);
    const certificate: Certificate = JSON.parse(await readFile(join(folder, FILES.certificate), 'utf8'));
    expect(certificate.assumptions.at(-1)).toContain('bus/2026-03-02');
  });

  test('a partition that does not exist is named in the refusal', async () => {
    const attempt = correctRelease(stack.client, first, [{ part: 'train', day: '2026-03-02' }], 'object-late');
    await expect(attempt).rejects.toThrow('train/2026-03-02');
  });

  test('a release that has been corrected is not corrected again, as that would take the correction back', async () => {
    const attempt = correctRelease(stack.client, first, [{ part: 'bus', day: '2026-03-03' }], 'object-late');
    await expect(attempt).rejects.toMatchObject({
      code: 'ACTION_NOT_OFFERED',
      message: expect.stringContaining('small/2026-03-02/v2 came after small/2026-03-02/v1 and is published'),
    });
  });
});

describe('a retraction', () => {
  let own: SmallSeries;
  let release: Run;

  beforeAll(async () => {
    own = await writeSmallSeries(join(stack.root, 'retracted'), { series: 'retracted', population: 'retracted' });
    release = await startSmall(stack.client, own);
    await reaches(stack.client, release, ['waiting']);
  });

  const request = (reason: 'data-wrong' | 'other') => ({
    release,
    decision: 'retract' as const,
    reason,
    note: 'never published',
    privateKey: own.key.privateKey,
  });

  test('a release that is not public is not retracted', async () => {
    expect(await decideRelease(stack.client, request('other'))).toMatchObject({
      accepted: false,
      code: 'RELEASE_UNKNOWN',
    });
  });

  test('C13: a publication is retracted through the same gate, at no charge, and verify says so', async () => {
    await decideSmall(stack.client, own, release, 'approve');
    await reaches(stack.client, release, ['published']);
    const before = await readLedger(stack.client.releaseStore, 'retracted');
    await writeFile(join(stack.root, 'me.pem'), own.key.privateKey);
    const surroundings = { cwd: stack.root, deployment: stack.files.deployment('client') };
    const shown = async () => {
      const words = [
        ['status', '--json'],
        ['show', releasePath(release)],
      ];
      const [list, page] = await Promise.all(words.map((one) => run(one, surroundings)));
      const { releases } = JSON.parse(list!.stdout) as { releases: Run[] };
      return { line: releases.find((one) => one.series === 'retracted'), page: page!.stdout };
    };
    // One that nobody has signed yet: it waits at its gate, and the list and the page of the release say so.
    await stack.client.temporal.workflow.start('retractWorkflow', {
      workflowId: retractWorkflowId(release),
      taskQueue: TASK_QUEUES.public,
      args: [release],
    });
    while ((await retractionStatus(stack.client, release)).state !== 'waiting') await delay(100);
    const waiting = await shown();
    expect(waiting.line).toMatchObject({
      state: 'published',
      retraction: { state: 'waiting', reasons: [], signed: 0 },
    });
    expect(waiting.page).toContain('A retraction of it is waiting: 0 of 1 approvals');

    const words = ['retract', releasePath(release), '--reason', 'data-wrong', '--key', 'me.pem'];
    const last = expect.stringContaining('is being retracted');
    expect(await run(words, surroundings)).toMatchObject({ code: 0, stderr: '', stdout: last });
    while ((await retractionStatus(stack.client, release)).state !== 'retracted') await delay(100);

    const retracted = await shown();
    expect(retracted.line).toMatchObject({ state: 'retracted', retraction: { reasons: ['data-wrong'] } });
    expect(retracted.page).toContain('is retracted.');
    expect(retracted.page).toContain('Retracted (data-wrong)');

    const folder = join(stack.files.publication, releasePath(release));
    const report = await verifyPublication(folder);
    expect(report.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['retraction']);
    const tombstone = await readFile(join(folder, FILES.retraction), 'utf8');
    expect(tombstone).not.toContain('never published');
    const latest = JSON.parse(await readFile(join(stack.files.publication, 'retracted', 'latest.json'), 'utf8'));
    expect(latest).toMatchObject({ path: null });
    expect(await readLedger(stack.client.releaseStore, 'retracted')).toEqual(before);
  });

  test('a second retraction, and a withdrawal after it, are answered', async () => {
    expect(await decideRelease(stack.client, request('data-wrong'))).toMatchObject({
      accepted: false,
      code: 'ACTION_NOT_OFFERED',
    });
    expect(
      await decideRelease(stack.client, { ...request('other'), gate: 'retraction', decision: 'withdraw' }),
    ).toMatchObject({
      accepted: false,
    });
  });
});
