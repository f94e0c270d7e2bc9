import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { certify } from '../../counts/certificate/certify.ts';
import { readingGuide } from '../../kinds/taps/public/reading-guide.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { publishRelease } from '../../test/support/publish-release.ts';
import { testRelease } from '../../test/support/test-release.ts';
import { untried } from '../../test/support/unit-coverage.ts';

const SCRIPT = new URL('recompute.mjs', import.meta.url).pathname;
const scratch = newFolder();
let published: string;
beforeAll(async () => {
  const release = await testRelease();
  await publishRelease(release);
  published = join(scratch, 'published');
  await cp(join(release.folder, 'publication', 'demo', '2026-03-02', 'v1'), published, { recursive: true });
});

const recompute = (folder: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: 'utf8' });
  return { status, wrong: stdout.split('\n').filter((line) => line.startsWith('NO ')), stdout, stderr };
};

/** The two files that the script reads, of a certificate of ours. */
async function folderOf(parameters: PrivacyParameters): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'certificate-'));
  const certificate = certify(parameters);
  await writeFile(join(folder, 'certificate.json'), jsonBytes(certificate));
  await writeFile(join(folder, 'privacy.json'), jsonBytes({ reading: readingGuide(certificate) }));
  return folder;
}

test('a published folder: everything that the certificate claims comes out again, without our code', async () => {
  expect(await readFile(SCRIPT, 'utf8')).not.toMatch(/from '(?!node:)/);
  const { status, wrong, stdout, stderr } = recompute(published);
  expect({ status, wrong, stderr }).toEqual({ status: 0, wrong: [], stderr: '' });
  expect(stdout).toContain('threshold T: 9 (claimed: 9)');
});

const base = { neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '1/1000000' } as const;
const CASES: PrivacyParameters[] = [
  { ...base, mechanism: 'stability-histogram', unit: 'tap', split: { cells: '8' } },
  { ...base, mechanism: 'stability-histogram', unit: 'tap', rows: 'taps', split: { cells: '8' } },
  { ...base, mechanism: 'stability-histogram', unit: 'trip', publish: 'on', split: { cells: '7', time: '1' } },
  { ...base, mechanism: 'stability-histogram', unit: 'card-day', maxTaps: 6, split: { cells: '8' } },
  {
    ...base,
    mechanism: 'stability-histogram',
    unit: 'card-window',
    maxTaps: 3,
    neighbours: 'add-remove',
    split: { cells: '8' },
  },
  { ...base, mechanism: 'complete-domain', unit: 'trip', delta: '0', floor: 12, split: { cells: '8' } },
  { ...base, mechanism: 'complete-domain', unit: 'card-day', maxTaps: 4, delta: '0', floor: 30, split: { cells: '8' } },
  { ...base, mechanism: 'complete-domain', unit: 'tap', delta: '0', split: { cells: '8' } },
  {
    ...base,
    mechanism: 'discrete-gaussian',
    unit: 'card-day',
    maxTaps: 5,
    place: 2,
    clamp: 3,
    floor: 10,
    split: { cells: '3/4', location: '1/8', bounded: '1/8' },
  },
];

test.each(CASES)('$mechanism of $unit, $neighbours: the same numbers as ours', async (parameters) => {
  const { wrong, status, stderr } = recompute(await folderOf(parameters));
  expect({ wrong, status, stderr }).toEqual({ wrong: [], status: 0, stderr: '' });
});

test('no unit and no mechanism of releases is left out', () => {
  expect(untried(CASES)).toEqual([]);
});

test.each([
  ['threshold', 8],
  ['d1', 2],
  ['scale', '1/4'],
  ['epsilon', '7'],
  ['deltaUpper', '1e-9'],
])('broken twin: another %s is named', async (field, value) => {
  const folder = await mkdtemp(join(scratch, 'broken-'));
  await cp(published, folder, { recursive: true });
  const certificate = JSON.parse(await readFile(join(folder, 'certificate.json'), 'utf8'));
  await writeFile(join(folder, 'certificate.json'), JSON.stringify({ ...certificate, [field]: value }));
  const { status, wrong } = recompute(folder);
  expect(status).toBe(1);
  expect(wrong.length).toBeGreaterThan(0);
});
