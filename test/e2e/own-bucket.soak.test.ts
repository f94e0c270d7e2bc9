import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ending, type Running, run, start, untilUp, words } from '../../cli/process.fixture.ts';
import { EXIT } from '../../contracts/errors.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { newFolder } from '../support/new-folder.ts';
import { type Gateway, startVersitygw } from '../support/versitygw.ts';

/**
 * The way of an office whose data is in a bucket, as taps in rows of their own: from `s3://` and a GTFS feed to an
 * approved publication. The environment says where the server is and who asks, as for every program of Amazon.
 */

let gateway: Gateway;
const folder = newFolder();
let stack: Running | null = null;

beforeAll(async () => {
  gateway = await startVersitygw();
  await gateway.createBucket('office');
  const reader = await gateway.createUser('reader');
  await gateway.grant('office', reader, 'read');
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: gateway.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: reader.accessKeyId,
    AWS_SECRET_ACCESS_KEY: reader.secretAccessKey,
  });
});
afterAll(async () => {
  stack?.child.kill('SIGTERM');
  await stack?.ending;
  await gateway?.stop();
});

const DAYS = ['20260302', '20260303', '20260304'];
const STOPS = 'stop_id,stop_name,location_type,parent_station\n0001,Bay,0,\n0002,Quay,0,\n';

/** Taps by day, tap, half hour and place: an independent count. */
const truth = new Map<string, number>();

function taps(day: string): string {
  const lines = ['when,stop,tap'];
  const add = (clock: string, half: string, place: string, tap: string) => {
    lines.push(`${day.slice(6)}.${day.slice(4, 6)}.2026 ${clock}:30,${place},${tap}`);
    const key = [day, tap, half, place === '9999' ? 'UNKNOWN' : place].join(' ');
    truth.set(key, (truth.get(key) ?? 0) + 1);
  };
  for (let trip = 0; trip < 90; trip++) {
    add(`08:${String(trip % 15).padStart(2, '0')}`, '08:00', trip % 3 === 0 ? '0001' : '0002', 'on');
    add(`09:${String(15 + (trip % 15))}`, '09:00', trip % 3 === 0 ? '9999' : '0001', 'off');
  }
  return `${lines.join('\n')}\n`;
}

const INIT = `init project --source s3://office/exports --sample taps_${DAYS[0]}.csv --modes bus --rows taps
  --columns time=when location=stop tap=tap --time-zone Europe/Vienna --window-days 3 --locations feed
  --custodian ada --approver ben --name office-taps`.replaceAll('\n', ' ');

async function well(line: string[], code: number = EXIT.done): Promise<Ending> {
  const ending = await run(line, { cwd: join(folder, 'project') });
  expect({ line, ...ending }).toMatchObject({ code });
  return ending;
}

test('from a bucket of taps and a GTFS feed to a publication that verifies', async () => {
  const bucket = openStore(gateway.configuration('office'));
  for (const day of DAYS) await bucket.putIfAbsent(`exports/taps_${day}.csv`, Buffer.from(taps(day)));
  await bucket.putIfAbsent('exports/readme.txt', Buffer.from('no taps'));
  await mkdir(join(folder, 'feed'));
  await writeFile(join(folder, 'feed', 'stops.txt'), STOPS);
  const made = await run([...words(INIT), '--clock', '%d.%m.%Y %H:%M:%S'], { cwd: folder });
  expect(made).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining('files taps_{yyyymmdd}.csv') });
  const deployment = await readFile(join(folder, 'project', 'deployment.yaml'), 'utf8');
  expect(deployment).toContain('bucket: office');
  expect(deployment).not.toContain(process.env.AWS_SECRET_ACCESS_KEY);

  stack = start(['up'], { cwd: join(folder, 'project') });
  expect(await untilUp(stack.child)).toContain('Opaline is up');

  expect((await well(['check', 'series.yaml'])).stdout).toContain('3 objects fit taps_{yyyymmdd}.csv');
  await well(['run', 'series.yaml', '--window', '2026-03-02', '--yes'], EXIT.waiting);
  const key = ['--key', 'keys/approver.pem', '--reason', 'read', '--yes'];
  const { stderr } = await well(['approve', 'office-taps/2026-03-02/v1', ...key]);
  const published = join('.opaline', 'stores', 'publication', 'office-taps', '2026-03-02', 'v1');
  expect(stderr).toContain(`verify ${published} --trust trust.json`);
  expect((await well(['verify', published, '--trust', 'trust.json'])).stdout).toContain('demo keys');

  const csv = await readFile(join(folder, 'project', published, 'time-location.csv'), 'utf8');
  const cells = csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((row) => row.split(','));
  // ε = 8 draws noise of scale 1/4: a cell that is 20 off would come up once in 10^34.
  for (const [, day, tap, time, , , place, count] of cells)
    expect(
      Math.abs(Number(count) - (truth.get(`${day!.replaceAll('-', '')} ${tap} ${time} ${place}`) ?? 0)),
    ).toBeLessThan(20);
  expect(cells.length).toBe(truth.size);
}, 150_000);
