import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { newFolder } from '../support/new-folder.ts';
import { ROOT, readProjectFile } from '../tidy/source-files.ts';
import { mutantsOf } from './alert-mutants.fixture.ts';
import { namesOfFailed, promtool } from './promtool.fixture.ts';
import { alerts, dashboardExpressions } from './rules.fixture.ts';

// The rules are judged by promtool, Prometheus' own program: what fires here fires there.

const FOLDER = 'infra/observability';
const file = (name: string) => join(ROOT, FOLDER, name);

const folder = newFolder();

/** Writes a file of rules, or of tests of them; JSON is YAML. */
async function write(name: string, content: object): Promise<string> {
  await writeFile(join(folder, name), JSON.stringify(content));
  return join(folder, name);
}

const ruleFile = (name: string, rules: object[]) => write(name, { groups: [{ name: 'rules', rules }] });

test('Prometheus takes the rules, and the scrape example', async () => {
  expect(await promtool('check', 'rules', file('alerts.yaml'))).toMatchObject({ ok: true });
  expect(await promtool('check', 'config', file('prometheus.yaml'))).toMatchObject({ ok: true });
});

test('Prometheus takes what the dashboard asks, and would not take half an expression', async () => {
  const record = (expr: string, index: number) => ({ record: `panel_${index}`, expr });
  const panels = await ruleFile('panels.yaml', dashboardExpressions().map(record));
  expect(await promtool('check', 'rules', panels)).toMatchObject({ ok: true });
  const half = await ruleFile('half.yaml', [record('sum by (stage', 0)]);
  expect(await promtool('check', 'rules', half)).toMatchObject({ ok: false });
});

test('each alert fires on one side of its threshold, and not on the other', async () => {
  expect(await promtool('test', 'rules', file('alerts.test.yaml'))).toMatchObject({ ok: true });
});

const ruleTest = z.looseObject({ alertname: z.string() });
const ruleTests = z.looseObject({ tests: z.array(z.looseObject({ alert_rule_test: z.array(ruleTest) })) });

/** The tests of an alert, as tests of its mutants. */
function testsOfMutants(name: string, mutants: string[]): object {
  const { tests, ...rest } = ruleTests.parse(parse(readProjectFile(`${FOLDER}/alerts.test.yaml`)));
  const groups = tests.map(({ alert_rule_test: all, ...group }) => {
    const own = all.filter(({ alertname }) => alertname === name);
    return { ...group, alert_rule_test: own.flatMap((one) => mutants.map((alertname) => ({ ...one, alertname }))) };
  });
  return { ...rest, rule_files: [`${name}.yaml`], tests: groups.filter((group) => group.alert_rule_test.length > 0) };
}

test('an alert without a test, and one with any mistake in it, are caught', async () => {
  const mutants = alerts().flatMap((alert) =>
    mutantsOf(alert).map((mutant, index) => ({
      of: alert.alert,
      rule: { ...alert, ...mutant, alert: `${alert.alert}_${index}` },
    })),
  );
  const files = [];
  for (const { alert } of alerts()) {
    const rules = mutants.filter(({ of }) => of === alert).map(({ rule }) => rule);
    expect(rules.length, alert).toBeGreaterThan(3);
    await ruleFile(`${alert}.yaml`, rules);
    files.push(
      await write(
        `${alert}.test.yaml`,
        testsOfMutants(
          alert,
          rules.map((rule) => rule.alert),
        ),
      ),
    );
  }
  const caught = namesOfFailed((await promtool('test', 'rules', ...files)).text);
  const missed = mutants.filter(({ rule }) => !caught.includes(rule.alert));
  expect(missed.map(({ rule }) => [rule.alert, rule.expr, rule.for])).toEqual([]);
});
