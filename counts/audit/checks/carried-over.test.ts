import { expect, test } from 'vitest';
import type { CountRow } from '../../derive/count-row.ts';
import { NO_ROWS, tableOf } from '../../derive/count-table.ts';
import { type EarlierVersion, NO_KNOWLEDGE } from '../subject.ts';
import { checkCarriedOver } from './carried-over.ts';

const row = (day: string, count: number): CountRow => ({
  mode: 'bus',
  day,
  tap: 'on',
  time: '08:00',
  location: 'Quay',
  count,
});
const CARRIED = 'bus/2026-03-02';
const cells = tableOf([row('2026-03-02', 90), row('2026-03-03', 40)]);
const earlier: EarlierVersion = {
  version: 1,
  cells: tableOf([row('2026-03-03', 44), row('2026-03-02', 90)]),
  sameDraw: new Set([CARRIED]),
  otherTables: new Set(['bus/2026-03-03']),
};
const verdictOf = (change: Partial<EarlierVersion>) =>
  checkCarriedOver({ cells, knowledge: { ...NO_KNOWLEDGE, earlier: [{ ...earlier, ...change }] } });

test('what is carried over has the cells and the digest of the version before; what is drawn again may differ', () => {
  const found = verdictOf({});
  expect(found).toMatchObject({ verdict: 'pass', statistic: 0 });
  expect(found.sentence).toContain(CARRIED);
  expect(checkCarriedOver({ cells, knowledge: NO_KNOWLEDGE }).sentence).toContain('nothing');
});

test('other cells, fewer cells or another digest fail, and the partition is named', () => {
  for (const change of [
    { cells: tableOf([row('2026-03-02', 91)]) },
    { cells: NO_ROWS },
    { otherTables: new Set([CARRIED]) },
    { sameDraw: new Set([CARRIED, 'bus/2026-03-03']) },
  ]) {
    const found = verdictOf(change);
    expect(found).toMatchObject({ verdict: 'fail', statistic: 1 });
    expect(found.sentence).toMatch(/bus\/2026-03-0[23] of version 1/);
  }
});
