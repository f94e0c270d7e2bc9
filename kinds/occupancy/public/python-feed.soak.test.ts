import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/new-folder.ts';
import { PUBLISHED_STATUSES, type StatusRow } from '../status.ts';
import { formatFeed } from './gtfs-realtime.ts';

/** What the bindings of GTFS-Realtime for Python read in a file. */
const READ = `
import sys, json
from google.transit import gtfs_realtime_pb2 as gtfs
feed = gtfs.FeedMessage()
feed.ParseFromString(open(sys.argv[1], "rb").read())
name = gtfs.VehiclePosition.OccupancyStatus.Name
print(json.dumps([[feed.header.timestamp, e.id, e.trip_update.trip.trip_id, e.trip_update.trip.start_date,
  u.stop_sequence, u.stop_id, u.schedule_relationship, name(u.departure_occupancy_status)]
  for e in feed.entity for u in e.trip_update.stop_time_update]))
`;

const folder = newFolder();
let python: string;
beforeAll(async () => {
  execFileSync('python3', ['-m', 'venv', folder]);
  python = join(folder, 'bin', 'python');
  execFileSync(python, ['-m', 'pip', 'install', '--quiet', 'gtfs-realtime-bindings==2.2.0']);
}, 600_000);

test('the bindings for Python read every status of a feed', async () => {
  const rows = PUBLISHED_STATUSES.map(
    (status, place): StatusRow => ({
      part: 'north',
      day: '2026-03-02',
      run: `Linie ${Math.floor(place / 3)} – 駅`,
      sequence: place,
      stop: `S${place}`,
      departure: '08:00',
      vehicle: 'bus',
      status,
    }),
  );
  const file = join(folder, 'trip-updates.pb');
  await writeFile(file, formatFeed(rows, 1_772_400_000));
  expect(JSON.parse(execFileSync(python, ['-c', READ, file], { encoding: 'utf8' }))).toEqual(
    // 2 is NO_DATA, of the times that are not predicted.
    rows.map(({ day, run, sequence, stop, status }) => [
      1_772_400_000,
      `${day}/${run}`,
      run,
      '20260302',
      sequence,
      stop,
      2,
      status,
    ]),
  );
});
