import { describe, expect, test } from 'vitest';
import { readProjectFile } from '../tidy/source-files.ts';
import { alerts, dashboardExpressions, metricNames, panels } from './rules.fixture.ts';

/** Anchor that a heading of a document gets. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const anchors = new Set(
  [...readProjectFile('docs/runbooks.md').matchAll(/^## (.+)$/gm)].map(
    (match) => `docs/runbooks.md#${anchor(match[1]!)}`,
  ),
);

/** Words of what is counted on the custodian side only. */
const PRIVATE_FIGURE = /\b(rows?|taps?|trips?|cells?|rejects?|cards?|bytes|counts? of)\b/i;

describe('alerts', () => {
  test.each(alerts().map((alert) => [alert.alert, alert] as const))(
    '%s links to a runbook that names it',
    (name, alert) => {
      const { runbook } = alert.annotations;
      expect(anchors).toContain(runbook);
      expect(readProjectFile('docs/runbooks.md')).toContain(`\`${name}\``);
      expect(metricNames(alert.expr).length).toBeGreaterThan(0);
    },
  );

  test('an alert without a runbook, and one with an unknown severity, are caught', () => {
    const text = (severity: string, annotations: string) =>
      `groups: [{name: a, rules: [{alert: A, expr: up, labels: {severity: ${severity}}, annotations: ${annotations}}]}]`;
    expect(() => alerts(text('page', '{summary: s, runbook: r}'))).not.toThrow();
    expect(() => alerts(text('page', '{summary: s}'))).toThrow();
    expect(() => alerts(text('maybe', '{summary: s, runbook: r}'))).toThrow();
    expect(anchors).not.toContain('docs/runbooks.md#none');
  });
});

describe('dashboard', () => {
  test('no panel shows a private figure', () => {
    for (const { title } of panels()) expect(title).not.toMatch(PRIVATE_FIGURE);
    expect(dashboardExpressions().filter((expression) => PRIVATE_FIGURE.test(expression))).toEqual([]);
    expect('Rows read at ingest').toMatch(PRIVATE_FIGURE);
  });

  test('C18: what both workers export is asked of one side, and the data source is of that side', () => {
    for (const { title, datasource, targets } of panels()) {
      const side = datasource.uid.includes('custodian') ? 'private' : 'public';
      expect(title.startsWith('Custodian side: '), title).toBe(side === 'private');
      expect(targets.flatMap(({ expr }) => ofBoth(expr)).filter((asked) => !asked.endsWith(side))).toEqual([]);
    }
    expect(panels().filter(({ title }) => /ingest|bin|privatize|scratch/.test(title))).toSatisfy(
      (all: { title: string }[]) => all.every(({ title }) => title.startsWith('Custodian side: ')),
    );
    expect(ofBoth('max(opaline_worker_ready) + opaline_worker_ready{job="opaline-public"}')).toEqual([
      'opaline_worker_ready of ?',
      'opaline_worker_ready of public',
    ]);
  });
});

/** What an expression asks of both workers, and of which: `opaline_worker_ready of private`. */
const ofBoth = (expr: string): string[] =>
  [
    ...expr.matchAll(
      /\b(opaline_(?:build_current|worker_ready|store_reachable|stage_seconds_bucket|activity_failures_total)|temporal_num_pollers)\b(?:\{job="opaline-(\w+)"\})?/g,
    ),
  ].map(([, name, side]) => `${name} of ${side ?? '?'}`);
