import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { AuditCheck } from '../../contracts/audit-report.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { auditPublication } from './audit-publication.ts';

const SERIES = `series: ferry-taps
population: ferry-riders
timeZone: Australia/Sydney
custodians: [vera]
source:
  store: trips
  pattern: trips/{date}.csv
  format: csv
  rows: trips
  columns: {on_time: start, on_location: from, off_time: end, off_location: to}
window: {days: 7, firstWeekday: monday}
bins:
  locations:
    ferry: {dictionary: ferry.csv}
modes: [ferry]
privacy:
  unit: trip
  epsilon: 8
  delta: 1e-6
  caps:
    block: {epsilon: 16, delta: 2e-6}
    year: {epsilon: 800, delta: 1e-3}
gate:
  approvers:
    - subject: ada
publication: {title: Ferry taps, licence: CC-BY-4.0}
`;

const folder = newFolder();
const put = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

beforeAll(async () => {
  await put('ferry.csv', 'location\nManly\nUNKNOWN\n');
});

/** The check of a publication of one night's cells under a series file with this timetable. */
async function timetableCheck(timetable: string): Promise<AuditCheck> {
  await put('timetable.csv', `mode,location,tap,time,services,stops\n${timetable}\n`);
  const cells = await put(
    'time-location.csv',
    'mode,date,tap,time,loc,count\r\nferry,20260302,on,23:45,Manly,41\r\nferry,20260302,on,08:00,Manly,91\r\n',
  );
  const series = await put('series.yaml', `${SERIES}audit: {timetable: timetable.csv}\n`);
  const { report } = await auditPublication({ paths: [cells], series, declarations: new Map(), columns: null });
  return report.checks.find(({ id }) => id === 'timetable-extremes')!;
}

test('a published cell that one night ferry alone can feed is found by the timetable of the series file', async () => {
  const check = await timetableCheck('ferry,Manly,on,23:45,1,1\nferry,Manly,on,08:00,4,2');
  expect(check).toMatchObject({ verdict: 'attention', statistic: 1 });
  expect(check.sentence).toContain('Manly');
  expect(check.sentence).toContain('23:45');
  expect(check.sentence).not.toContain('08:00');
});

test('broken twin: with several services and stops for each cell, nothing is found', async () => {
  expect(await timetableCheck('ferry,Manly,on,23:45,3,2\nferry,Manly,on,08:00,4,2')).toMatchObject({
    verdict: 'pass',
    statistic: 0,
  });
});
