import { expect, test } from 'vitest';
import { readClockFormat } from './clock-format.ts';

test.each([
  ['%m/%d/%Y %H:%M', '5/31/2015 7:08'],
  ['%d.%m.%Y %H:%M:%S', '31.12.2015 07:08:09'],
  ['%d-%b-%y %I:%M %p', '31-Dec-15 7:08 PM'],
])('%s reads %s, the whole of it', (format, text) => {
  const { pattern, problems } = readClockFormat(format);
  expect(problems).toEqual([]);
  const whole = new RegExp(`^(?:${pattern})$`);
  expect(whole.test(text)).toBe(true);
  for (const other of [`${text} `, `x${text}`, text.replace(/[./-]/, 'x'), 'infinity', '']) {
    expect(whole.test(other)).toBe(false);
  }
});

test.each([
  ['%Y-%m-%d', 'says the time once'],
  ['%H:%M', 'says the day once'],
  ['%Y-%m-%d %H:%M %Q', '%Q is no part'],
  ['%Y-%m-%d %H:%M %', '% is no part'],
  ['%Y-%m-%d %I:%M', 'come together'],
  ['%Y-%m-%d %H:%M:%M', '%M is there twice'],
  ['%Y-%m-%d (%H:%M', '( cannot be in'],
  ['%Y %y-%m-%d %H:%M', 'says the day once'],
])('%s is refused: %s', (format, sentence) => {
  expect(readClockFormat(format).problems.join(' ')).toContain(sentence);
});
