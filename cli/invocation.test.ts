import { expect, test } from 'vitest';
import { pasteable } from './terminal.ts';

test('a command is named as this process was started: here, in a checkout', () => {
  expect(pasteable('Approve it: opaline approve a')).toBe('Approve it: npm run opaline -- approve a');
});

test.each([
  ['`opaline show` says more', '`npx opaline show` says more'],
  ['opaline status\n  opaline show a', 'npx opaline status\n  npx opaline show a'],
])('%j is named as it was started', (text, named) => {
  expect(pasteable(text, 'npx opaline')).toBe(named);
});

test.each([
  'Opaline is up',
  'everything is in .opaline/stores',
  'npm i @someone/opaline now',
  'my-opaline show',
  'the queue opaline-private is polled',
  'release of opaline, and no command',
  'temporal workflow describe --namespace opaline --workflow-id release/a',
  'the namespace opaline is there',
])('%j holds no command', (text) => {
  expect(pasteable(text, 'npx opaline')).toBe(text);
});
