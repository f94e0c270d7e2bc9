import { beforeEach, expect, test } from 'vitest';
import { readPolicyFile } from '../custodian/policy/policy-file.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { widePopulation } from '../test/support/test-trust.ts';
import { provideDemoTrust } from './demo-trust.ts';
import { locateFiles } from './embedded-files.ts';

let root: string;
beforeEach(() => {
  root = newFolder();
});

const provide = (names: string[], rules = widePopulation(['trips'])) =>
  provideDemoTrust(locateFiles(root), {
    approvers: [],
    required: 1,
    populations: Object.fromEntries(names.map((name) => [name, { ...rules, sources: [name] }])),
  });
const policy = async () => (await readPolicyFile(locateFiles(root).policy)).policy;

test('the policy of populations with the same rules can be read', async () => {
  await provide(['riders', 'others']);
  expect(Object.keys((await policy()).populations)).toEqual(['riders', 'others']);
});

test('C11a: a policy takes the next number when a population is new or has other rules, and no other time', async () => {
  await provide(['riders']);
  await provide(['riders']);
  expect((await policy()).number).toBe(1);
  await provide(['others']);
  expect(Object.keys((await policy()).populations)).toEqual(['riders', 'others']);
  await provide(['others'], widePopulation([], { lateDays: 1 }));
  expect((await policy()).number).toBe(3);
});
