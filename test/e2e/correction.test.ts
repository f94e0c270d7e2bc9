import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { readBytes, readJson } from '../../activities/stores/json-objects.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import type { Certificate } from '../../contracts/certificate.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, partitionPath, RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { correctRelease } from '../support/correct-release.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, smallTrips, writeTrips } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;
let first: Run;
const redrawn = [{ part: 'bus', day: '2026-03-02' }];

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
  first = await startSmall(stack.client, series);
  await reaches(stack.client, first, ['waiting']);
});
afterAll(() => stack?.end());

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
    RELEASE_KEYS.staged(second, FILES.manifest),
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
