import { expect, test } from 'vitest';
import { certify } from '../../../counts/certificate/certify.ts';
import { domainCells } from '../../../counts/readers/proposed-design.ts';
import { buildGrid, domainInWords, domainRule } from './domain-size.ts';

const list = (places: number) => ({
  digest: 'a',
  bytes: Buffer.from(`location\n${Array.from({ length: places }, (_, i) => `place ${i}\n`).join('')}`),
});
const rule = (days: number) => ({
  modes: ['bus', 'train'],
  window: { days, firstWeekday: 'monday', lagDays: 0 } as const,
  day: { starts: '04:00', ends: '28:00' },
  bins: {
    minutes: 15 as const,
    locations: {
      bus: { dictionary: 'bus.csv', unknown: 'UNKNOWN' },
      train: { dictionary: 'train.csv', unknown: 'place 1' },
    },
  },
  privacy: { publish: 'on+off' } as const,
});

test('the size of a domain: days × taps × times × locations of each mode, the unknown among them', () => {
  const grid = buildGrid(rule(7), (mode) => list(mode === 'bus' ? 9 : 5).bytes, 15);
  expect(domainCells(grid)).toBe(7 * 2 * 96 * (10 + 5));
});

test('a complete domain of more than 20 million cells is refused, and a histogram of any size only for cards', () => {
  type Mechanism = 'complete-domain' | 'stability-histogram';
  const issuesOf = (mechanism: Mechanism, places: number, unit: 'trip' | 'card-day' = 'trip') => {
    const issues: string[] = [];
    const lists = new Map([
      ['bus', list(places)],
      ['train', list(1)],
    ]);
    const caps = { block: { epsilon: '8', delta: '0' }, year: { epsilon: '8', delta: '0' } };
    const privacy = { mechanism, unit, neighbours: 'replace-one', publish: 'on+off', epsilon: '8' } as const;
    domainRule({ ...rule(7), privacy: { ...privacy, delta: '0', split: {}, caps } }, lists, (_, sentence) =>
      issues.push(sentence),
    );
    return issues;
  };
  // 20,000,000 / (7 · 2 · 96) is 14,880.95 places.
  expect(issuesOf('complete-domain', 14_876)).toEqual([]);
  expect(issuesOf('complete-domain', 14_880)[0]).toContain('at most 20000000 cells');
  expect(issuesOf('stability-histogram', 14_880)).toEqual([]);
  // 500,000,000 / (7 · 2 · 96) is 372,023.8 places.
  expect(issuesOf('stability-histogram', 372_020, 'card-day')).toEqual([]);
  expect(issuesOf('stability-histogram', 372_023, 'card-day')[0]).toContain('A window of cards has at most 500000000');
  expect(issuesOf('stability-histogram', 372_023)).toEqual([]);
});

test('the expected rows from empty cells follow from the floor', () => {
  const request = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '31/5', split: {} } as const;
  const floor = certify({ ...request, mechanism: 'complete-domain', delta: '0', floor: 7 });
  expect(domainInWords(floor, 3_544_002)[0]).toContain('about 57 published cells');
  const none = certify({ ...request, mechanism: 'complete-domain', delta: '0' });
  expect(domainInWords(none, 1000)[0]).toContain('about 1000 published cells');
  expect(domainInWords(certify({ ...request, mechanism: 'stability-histogram', delta: '1e-6' }), 1000)).toEqual([]);
});
