import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Ending, type Running, run, start, untilUp, words } from '../../cli/process.fixture.ts';
import { ERRORS, EXIT } from '../../contracts/errors.ts';
import { newFolder } from '../support/new-folder.ts';

/**
 * The whole way of somebody with data of their own, each step a process: from a folder of CSV and a list of stops to an
 * approved publication that verifies.
 */

const folder = newFolder();
let stack: Running | null = null;
afterAll(async () => {
  stack?.child.kill('SIGTERM');
  await stack?.ending;
});

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const STOPS =
  'stop_id,stop_name,location_type,parent_station\n007,Bay,0,\n008a,Quay A,0,Q\n008b,Quay B,0,Q\nQ,Quay,1,\n';
const STATION: Readonly<Record<string, string>> = { '007': '007', '008a': 'Q', '008b': 'Q', Q: 'Q' };

/** Taps of the trips below, by day, tap, quarter and published place: an independent count. */
const truth = new Map<string, number>();

/** A day of trips, three lines of which are no rows. */
function trips(day: string): string {
  const count = (tap: string, quarter: string, place: string) => {
    const key = [day, tap, quarter, place].join(' ');
    truth.set(key, (truth.get(key) ?? 0) + 1);
  };
  const lines = ['Karte;Ab;Von;An;Nach'];
  for (let trip = 0; trip < 240; trip++) {
    const [from, to] = [['007', '008a', '008b'][trip % 3]!, trip % 40 === 0 ? '999' : 'Q'];
    const minute = String(trip % 15).padStart(2, '0');
    lines.push(`k${trip};${day} 08:${minute}:30;${from};${day} 08:${Number(minute) + 30}:00;${to}`);
    count('on', '08:00', STATION[from]!);
    count('off', '08:30', STATION[to] ?? 'UNKNOWN');
  }
  return `${lines.join('\n')}\nbroken\nk;soon;007;later;Q\nk;${day} 07:00;007;${day} 07:10;Q;too many\n`;
}

const INIT = `init project --source data --sample ${DAYS[0]}.csv --delimiter ; --modes bus --time-zone Europe/Zurich
  --columns on_time=Ab on_location=Von off_time=An off_location=Nach --window-days 3 --locations feed --parent-stations
  --custodian ada --approver ben --name own-taps`.replaceAll('\n', ' ');

const project = () => join(folder, 'project');
const opaline = (line: string): Promise<Ending> => run(words(line), { cwd: project() });

/** The standard output of a command that ends well. */
async function well(line: string, code: number = EXIT.done): Promise<string> {
  const ending = await opaline(line);
  expect({ line, ...ending }).toMatchObject({ code });
  return ending.stdout;
}

test('from a folder of CSV and a list of stops to a publication that verifies', {
  tags: 'soak',
  timeout: 150_000,
}, async () => {
  await mkdir(join(folder, 'data'));
  await mkdir(join(folder, 'feed'));
  for (const day of DAYS) await writeFile(join(folder, 'data', `${day}.csv`), trips(day));
  await writeFile(join(folder, 'feed', 'stops.txt'), STOPS);
  const made = await run(words(INIT), { cwd: folder });
  expect(made).toMatchObject({ code: EXIT.done, stdout: expect.stringContaining('This is a trial') });
  const deployment = await readFile(join(project(), 'deployment.yaml'), 'utf8');

  stack = start(['up'], { cwd: project() });
  expect(await untilUp(stack.child)).toContain('Opaline is up');

  expect(await well('check series.yaml')).toContain('3 objects fit {date}.csv, from 2026-03-02.csv to 2026-03-04.csv');
  const shown = JSON.parse(await well(`preview series.yaml --window ${DAYS[0]} --json`));
  expect(shown.objects).toEqual(
    DAYS.map((day) => ({
      object: `${day}.csv`,
      rows: 241,
      rejected: { 'time-unreadable': 2, 'field-count': 2 },
      fault: null,
    })),
  );
  expect(shown).toMatchObject({
    confidential: true,
    totals: DAYS.map((day) => ({ part: 'bus', day, counted: 480, unknown: 6 })),
    unmatched: [{ part: 'bus', name: '999', counted: 18 }],
    empty: [],
  });

  expect(await well(`run series.yaml --window ${DAYS[0]}`, EXIT.waiting)).toContain('Verdict of the audit: pass');
  const approved = await opaline(`approve own-taps/${DAYS[0]}/v1 --key keys/approver.pem --reason read`);
  const published = join('.opaline', 'stores', 'publication', 'own-taps', DAYS[0]!, 'v1');
  await expect
    .poll(() => readFile(join(project(), published, 'SHA256SUMS'), 'utf8').catch(() => ''), { timeout: 200_000 })
    .not.toBe('');
  expect(approved).toMatchObject({
    code: EXIT.done,
    stderr: expect.stringContaining(`verify ${published} --trust trust.json`),
  });
  expect(await well(`verify ${published} --trust trust.json`)).toContain('demo keys');
  expect(await readFile(join(project(), published, 'statement.md'), 'utf8')).toContain('so this is a trial');
  const [head, ...rows] = (await readFile(join(project(), published, 'time-location.csv'), 'utf8'))
    .trim()
    .split(/\r?\n/);
  expect(head).toBe('mode,date,tap,time,start,end,loc,count');
  const cells = rows.map((row) => row.split(','));
  // Noise of scale 20/31: a cell that is 20 off would come up once in 10^13. Those of hardly a tap may be shown or not.
  for (const [, day, tap, time, , , place, count] of cells)
    expect(Math.abs(Number(count) - (truth.get(`${day} ${tap} ${time} ${place}`) ?? 0))).toBeLessThan(20);
  const large = [...truth].filter(([, count]) => count > 30).map(([key]) => key);
  expect(large).toHaveLength(DAYS.length * 3);
  expect(cells.map(([, day, tap, time, , , place]) => `${day} ${tap} ${time} ${place}`)).toEqual(
    expect.arrayContaining(large),
  );
  expect(await readFile(join(project(), 'deployment.yaml'), 'utf8')).toBe(deployment);
  // Before the next charge its own publication says what may be shown, without being named.
  const next = await well('run series.yaml --window 2026-03-09 --dry-run');
  expect(next).toContain(`As in own-taps/${DAYS[0]}/v1: `);
});

test('C17: a series that is written after the preview has to say so, and a wrong source is a mistake of its file', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const path = join(project(), 'series.yaml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('minutes: 30', 'minutes: 15'));
  await well('series sign series.yaml --key keys/series.pem');
  const unsaid = await opaline('check series.yaml');
  expect(unsaid.code).toBe(ERRORS.POLICY_REFUSED.exit);
  expect(unsaid.stdout).toContain('were looked at (');
  // What the custodian side would refuse is refused before a release is there that nobody can retry.
  const refused = { code: ERRORS.POLICY_REFUSED.exit, stderr: expect.stringContaining('were looked at (') };
  const later = '2026-03-09';
  expect(await opaline(`run series.yaml --window ${later} --dry-run`)).toMatchObject(refused);
  expect(await opaline(`run series.yaml --window ${later} --yes`)).toMatchObject(refused);
  expect(await well(`preview series.yaml --window ${DAYS[0]}`)).toContain('This one has to already: Rows of own-taps');
  await writeFile(
    path,
    text.replace('minutes: 30', 'minutes: 15').replace('  caps:', '  chosenOn: the week before\n  caps:'),
  );
  await well('series sign series.yaml --key keys/series.pem');
  expect(await well('check series.yaml')).toContain('the policy allows it');
  await writeFile(path, text.replace('store: trips', 'store: tripps'));
  const wrong = await opaline('check series.yaml');
  expect(wrong.code).toBe(ERRORS.SERIES_INVALID.exit);
  expect(wrong.stderr).toMatch(/series\.yaml:\d+:\d+ source\.store — There is no source store tripps; .* has trips\./);
});

test('C5: a delivery of which most could not be read fails the audit, by a noisy number', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const path = join(project(), 'series.yaml');
  const text = (await readFile(path, 'utf8')).replace('store: tripps', 'store: trips');
  await writeFile(
    path,
    text.replace(
      /^ {2}split: .*$/m,
      '  chosenOn: the week before\n  split: { time: 1, location: 1, checks: 1 }\n  rejects: { bus: 100 }',
    ),
  );
  await well('series sign series.yaml --key keys/series.pem');
  expect(await well('check series.yaml')).toMatch(/noise alone fails at most 1 in [\d,]{5,} at a limit of rejects/);
  const later = ['2026-03-09', '2026-03-10', '2026-03-11'];
  // Of one day 77 % of the rows; of the others three lines, and four rejects.
  const spoilt = (line: string, at: number) => (at > 0 && at <= 185 ? line.replaceAll('2026-', '2026/') : line);
  for (const day of later) {
    const lines = trips(day).split('\n');
    await writeFile(join(folder, 'data', `${day}.csv`), (day === later[1] ? lines.map(spoilt) : lines).join('\n'));
  }
  const release = `own-taps/${later[0]}/v1`;
  const ran = await opaline(`run series.yaml --window ${later[0]} --yes`);
  expect(ran.stdout).toContain('Verdict of the audit: fail');
  const told = await well(`explain ${release}`);
  expect(told).toMatch(
    /More taps were rejected than the series allows: bus\/2026-03-10 \(about 3\d\d of at most 100\)/,
  );
  const beside = /Forecast by own-taps\/2026-03-02\/v1: \d.* % of taps in cells; shown: \d+ %\./;
  expect(await well(`show ${release}`)).toMatch(beside);
  expect(await well(`rejects ${release}`)).toContain('77.3 % of 2026-03-10.csv was rejected');
});
