import {
  type DataDescription,
  describeTable,
  type FileDescription,
  PROOF_FILES,
  type SummaryFigure,
} from '../../../services/metadata/data-description.ts';
import { neighboursInWords } from '../../statement.ts';
import { OCCUPANCY_FILES } from '../files.ts';
import type { OccupancyPrivacyFile } from '../privacy-file.ts';
import { PUBLISHED_STATUSES, type StatusRow } from '../status.ts';
import { STATUSES } from '../status-table.ts';
import { ridesInWords } from '../words.ts';

/** What metadata and pages say of a release of occupancy. Cost: O(rows). */
export function describeOccupancy(
  { domain, parameters, reading }: OccupancyPrivacyFile,
  [protects = '', ...others]: readonly string[],
  rows: readonly StatusRow[],
): DataDescription {
  const { unit, mechanism, neighbours, epsilon, delta } = parameters;
  return {
    summary: `How full vehicles were at each scheduled departure (${domain.parts.join(', ')}), drawn with differential privacy.`,
    keywords: ['public transport', 'occupancy', 'differential privacy', ...domain.parts],
    timeZone: domain.timeZone,
    firstDay: domain.days[0]!,
    lastDay: domain.days.at(-1)!,
    measured: ['Occupancy status of each scheduled departure'],
    files: occupancyFiles(domain),
    questions: [['How full a vehicle was at a departure', STATUSES.name]],
    firstTables: [{ table: STATUSES.name, value: null, by: ['date', 'status'] }],
    reading: {
      missing:
        'Every scheduled departure has a status. NO_DATA_AVAILABLE says that the events of a whole part and day are missing, and nothing of passengers.',
      interval: 'A status has no interval: it is one draw, and its neighbours on the run are as noisy as it is.',
      others: reading,
    },
    answers: {
      unit: `${protects} (\`${unit}\`)`,
      neighbours: neighboursInWords(neighbours, 'ride'),
      parameters: `${delta === '0' ? 'Pure' : 'Approximate'} differential privacy: ε = ${epsilon} and δ = ${delta}.`,
      mechanism: `\`${mechanism}\`. ${others.join(' ')}`,
      sensitivity:
        'A ride is on one run, and changes its passengers by one over one stretch; `certificate.json` has the change of each shape of a run.',
      domain:
        'Departures, parts, vehicle models and their categories are public, and in `timetable.csv` and `certificate.json`.',
      composition: ridesInWords(parameters).join(' '),
      accuracy:
        'The chance of each status for each number of passengers, or the scale of the noise, is in `certificate.json`.',
      bias: 'Near the borders of a category a status is about as often too low as too high; at the lowest and highest category it can only err to one side.',
      notCovered:
        'What is true of many passengers at once, such as how full a run usually is, and what is known from elsewhere.',
    },
    figures: [statusFigure(domain.parts, rows)],
    tables: [],
    places: null,
  };
}

/** How many departures have which status, for each part. */
function statusFigure(parts: readonly string[], rows: readonly StatusRow[]): SummaryFigure {
  const counts = new Map<string, number>();
  for (const { part, status } of rows) counts.set(`${part} ${status}`, (counts.get(`${part} ${status}`) ?? 0) + 1);
  const names = PUBLISHED_STATUSES.filter((status) => rows.some((row) => row.status === status));
  return {
    heading: 'Departures by status',
    sentence: 'Drawn statuses of all scheduled departures of the window.',
    rowHeading: 'Status',
    unit: 'departures',
    columns: [...parts],
    rows: names.map((status) => ({ label: status, values: parts.map((part) => counts.get(`${part} ${status}`) ?? 0) })),
  };
}

const occupancyFiles = (domain: OccupancyPrivacyFile['domain']): FileDescription[] => [
  ...describeTable(STATUSES, domain),
  {
    name: OCCUPANCY_FILES.feed,
    title: 'Statuses, GTFS-Realtime',
    description: 'The same as trip updates of GTFS-Realtime.',
  },
  {
    name: OCCUPANCY_FILES.timetable,
    title: 'Timetable',
    description: 'The public timetable by which departures are counted.',
  },
  ...PROOF_FILES,
];
