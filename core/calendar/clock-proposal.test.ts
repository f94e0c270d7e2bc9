import { expect, test } from 'vitest';
import { readClockFormat } from './clock-format.ts';
import { proposeClocks } from './clock-proposal.ts';

test.each([
  [['2026-03-02 08:00:00', '2026-03-02T08:00'], ['local']],
  [['2026-03-02 08:00:00.123Z'], ['utc']],
  [['2026-03-02 08:00:00+01:00', '2026-03-02T08:00 -0500'], ['offset']],
  [['1772400000', '1772400000.5'], ['unix-seconds']],
  [['1772400000000'], ['unix-milliseconds']],
  [['02.03.2026 08:00:30', '28.2.2026 7:05:00'], [{ format: '%d.%m.%Y %H:%M:%S' }]],
  [['3/22/2026 7:08', '12/1/2026 17:08'], [{ format: '%m/%d/%Y %H:%M' }]],
  [['3/2/2026 7:08 pm'], [{ format: '%d/%m/%Y %I:%M %p' }, { format: '%m/%d/%Y %I:%M %p' }]],
  [['31-Dec-2026 07:08'], [{ format: '%d-%b-%Y %H:%M' }]],
  [['20260302 07:08'], [{ format: '%Y%m%d %H:%M' }]],
  [['2026-03-02 08:00', '02.03.2026 08:00'], []],
  [['2026-13-02 08:00'], []],
  [['soon'], []],
  [[], []],
] as const)('%j are read by %j', (texts, clocks) => {
  const proposed = proposeClocks(texts);
  expect(proposed).toEqual(clocks);
  for (const clock of proposed) {
    if (typeof clock === 'string') continue;
    const { pattern, problems } = readClockFormat(clock.format);
    expect(problems).toEqual([]);
    for (const text of texts) expect(text).toMatch(new RegExp(`^${pattern}$`));
  }
});
