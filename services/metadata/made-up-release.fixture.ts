import type { DescribedRelease } from './data-description.ts';

/** A made-up release for tests of metadata. */
export const makeInput = (change: Partial<DescribedRelease> = {}): DescribedRelease => ({
  release: { series: 'gates', window: '2026-03-02', version: 2 },
  kind: 'counts',
  publication: {
    title: 'Gates of Exampleton',
    licence: 'CC-BY-4.0',
    notes: [],
    publisher: { name: 'Exampleton Transport', homepage: 'https://transport.example/' },
    contact: 'data@transport.example',
    baseUrl: 'https://data.example/open/',
    area: 'Exampleton',
    keywords: ['gates'],
    frequency: 'weekly',
  },
  description: {
    summary: 'How many people pass each gate.',
    keywords: ['gates', 'counts'],
    timeZone: 'Australia/Sydney',
    firstDay: '2026-03-02',
    lastDay: '2026-03-08',
    measured: ['People'],
    files: [
      {
        name: 'counts.csv',
        title: 'Counts',
        description: 'People by day and gate.',
        table: {
          columns: [
            { name: 'date', type: 'date', description: 'Day.' },
            { name: 'gate', type: 'string', description: 'Gate.', values: ['north', 'south'] },
            { name: 'count', type: 'integer', description: 'People, with noise.' },
          ],
          key: ['date', 'gate'],
          rows: 'data',
        },
      },
      { name: 'privacy.json', title: 'Parameters', description: 'Parameters.' },
      { name: 'absent.csv', title: 'Absent', description: 'Not there.' },
    ],
    questions: [['People of a gate', 'counts']],
    firstTables: [{ table: 'counts', value: 'count', by: ['date'] }],
    reading: { missing: 'Nothing is missing.', interval: 'Within 3 with 95 %.', others: [] },
    answers: {
      unit: 'One person at one gate.',
      neighbours: 'One is replaced.',
      parameters: 'ε = 1.',
      mechanism: 'Discrete Laplace.',
      sensitivity: '2.',
      domain: 'Public.',
      composition: 'They add up.',
      accuracy: 'Within 3.',
      bias: 'None.',
      notCovered: 'Crowds.',
    },
    figures: [
      {
        heading: 'People of each day',
        sentence: 'All of them.',
        rowHeading: 'Day',
        unit: 'people',
        columns: ['north', 'south'],
        rows: [
          { label: '2026-03-02', values: [120, 80] },
          { label: '2026-03-03', values: [131, null] },
        ],
      },
    ],
    tables: [{ heading: 'Shown', sentences: ['An estimate.'], headings: ['Gate', 'Total'], rows: [['north', '251']] }],
    places: null,
  },
  partitions: [
    { part: 'north', day: '2026-03-02', hole: null },
    { part: 'north', day: '2026-03-04', hole: 'OBJECT_MISSING' },
  ],
  files: [
    { name: 'counts.csv', sha256: 'ab'.repeat(32), bytes: 1234 },
    { name: 'privacy.json', sha256: 'cd'.repeat(32), bytes: 99 },
  ],
  versions: ['Charged before, for the same window: version 1.'],
  nextExpected: '2026-04-01',
  ...change,
});
