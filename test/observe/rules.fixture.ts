import { parse } from 'yaml';
import { z } from 'zod';
import { readProjectFile } from '../tidy/source-files.ts';

const rule = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
export type Alert = z.infer<typeof rule>;

const rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })) });

/** The alerts of infra/observability/alerts.yaml; throws when one lacks a field. */
export const alerts = (text = readProjectFile('infra/observability/alerts.yaml')): Alert[] =>
  rules.parse(parse(text)).groups.flatMap((group) => group.rules);

export const alertExpressions = (): string[] => alerts().map(({ expr }) => expr);

const panel = z.object({
  title: z.string(),
  description: z.string(),
  datasource: z.object({ uid: z.enum(['$' + '{public}', '$' + '{custodian}']) }),
  targets: z.array(z.object({ expr: z.string() })).min(1),
});
const dashboard = z.object({ title: z.string(), panels: z.array(panel).min(1) });

export const panels = () => dashboard.parse(JSON.parse(readProjectFile('infra/observability/dashboard.json'))).panels;

export const dashboardExpressions = (): string[] => panels().flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Names of the metrics in a PromQL expression: ours, Temporal's, and `up`. */
export const metricNames = (expression: string): string[] =>
  [...expression.replace(/"[^"]*"/g, '""').matchAll(/\b(?:opaline_\w+|temporal_\w+|up)\b/g)].map((match) => match[0]);
