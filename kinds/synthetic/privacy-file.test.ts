import { expect, test } from 'vitest';
import { syntheticPrivacySchema } from './privacy-file.ts';

const values = (count: number): string[] => Array.from({ length: count }, (_, value) => `v${value}`);

/** privacy.json of a stranger, whose table takes this number of rounds and passes to compute again. */
const fileOf = (rounds: number, passes: number, attributes = ['a'], size = 1000) => ({
  format: 'opaline-synthetic-privacy/1',
  release: 'a/2026-03-02/v1',
  parameters: { unit: 'trip', neighbours: 'add-remove', epsilon: '1', delta: '0', rounds, passes, rows: null },
  domain: {
    timeZone: 'UTC',
    days: ['2026-03-02'],
    parts: ['all'],
    attributes: ['a', 'b'].map((name) => ({ name, values: values(size) })),
  },
  workload: [{ attributes, ordered: 0 }],
  holes: [],
  reading: [],
});
const isRead = (file: object): boolean => syntheticPrivacySchema.safeParse(file).success;

test('a publication that would take for ever to check, or whose workload is of no domain, is not read', () => {
  expect(isRead(fileOf(30, 10))).toBe(true);
  expect(isRead(fileOf(200, 100))).toBe(false);
  expect(isRead(fileOf(30, 10, ['a', 'b']))).toBe(false);
  expect(isRead(fileOf(30, 10, ['a', 'b'], 100))).toBe(true);
  expect(isRead(fileOf(30, 10, ['a', 'a'], 100))).toBe(false);
  expect(isRead(fileOf(30, 10, ['zone'], 100))).toBe(false);
});
