import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldChanges } from './field-changes.ts';

test('names what differs, appears and goes, in the order of the paths', () => {
  const before = { gate: { required: 1 }, modes: ['bus'], schedule: { time: '06:00' }, old: true };
  const after = { gate: { required: 2 }, modes: ['bus', 'ferry'], schedule: { time: '06:00' } };
  expect(fieldChanges(before, after)).toEqual([
    { field: 'gate.required', before: '1', after: '2' },
    { field: 'modes.1', before: null, after: '"ferry"' },
    { field: 'old', before: 'true', after: null },
  ]);
});

test('equal values have no changes, and a change is one of both', () => {
  const value = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), fc.jsonValue());
  fc.assert(
    fc.property(value, (one) => {
      expect(fieldChanges(one, structuredClone(one))).toEqual([]);
    }),
  );
  fc.assert(
    fc.property(value, value, (a, b) => {
      expect(fieldChanges(a, b).map(({ field }) => field)).toEqual(fieldChanges(b, a).map(({ field }) => field));
    }),
  );
});
