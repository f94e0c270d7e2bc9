import { readFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { POLICY_FORMAT, POLICY_POWERS } from '../../contracts/formats/policy.ts';
import { windowsOfYear } from '../../core/calendar/window.ts';
import { formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { ENDS_PUBLISHED, UNITS } from '../../counts/certificate/units.ts';
import { isJson } from '../../kinds/taps/series.ts';
import { conflicts, type ProjectAnswers } from './project-answers.ts';

/** Files of a project folder, each at the same place in every project. */
export const PROJECT_FILES = {
  series: 'series.yaml',
  policy: 'policy.yaml',
  trust: 'trust.json',
  /** The draft of the trust file, where a root key that is kept elsewhere has to sign it. */
  trustDraft: 'trust-version-1.json',
  key: (role: string) => `keys/${role}.pem`,
} as const;

/**
 * A template of examples/project. A line of which something is null is left out with the comment above it; a line of
 * comment takes words as they are.
 */
async function fillTemplate(name: string, values: Readonly<Record<string, unknown>>): Promise<string> {
  const template = await readFile(new URL(`../../examples/project/${name}`, import.meta.url), 'utf8');
  const isComment = (line: string | undefined): boolean => /^\s*#/.test(line ?? '');
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const words = [...line.matchAll(/\{\{(\w+)\}\}/g)].map(([, word]) => values[word!] ?? null);
    if (words.includes(null)) while (isComment(lines.at(-1))) lines.pop();
    else lines.push(line.replaceAll(/\{\{\w+\}\}/g, () => (isComment(line) ? String : yamlValue)(words.shift())));
  }
  return lines.join('\n');
}

/** On one line: JSON is YAML, too. */
function yamlValue(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, aliasDuplicateObjects: false }).trim();
  return text.includes('\n') ? JSON.stringify(value) : text;
}

const times = (amount: string, factor: number): string =>
  formatRational(multiply(parseRational(amount), rational(BigInt(factor))));

/**
 * Caps that follow from ε and δ, or from ρ where a certificate has one, and the length of a window alone: room for one
 * correction, and for a year of releases.
 */
function usualCaps({ design: { certificate }, window }: ProjectAnswers): Record<'block' | 'year', object> {
  const { epsilon, delta, rho } = certificate;
  const year = windowsOfYear({ window: { ...window, lagDays: 0 } }) + 1;
  const cap = (releases: number) =>
    rho === undefined
      ? { epsilon: times(epsilon, releases), delta: times(delta, releases) }
      : { rho: times(rho, releases) };
  return { block: cap(2), year: cap(year) };
}

const isTrial = (answers: ProjectAnswers): boolean => conflicts(answers).length > 0;

/** In the notes of a trial, and so in its statement, which does not name the purpose. */
const TRIAL_NOTE = 'One person holds roles that exclude each other, so this is a trial and no publication of record.';

/** The series file of a project, with a comment where people decide; docs/series.md says what the fields mean. */
export function seriesText(answers: ProjectAnswers): Promise<string> {
  const { modes, lists, source, design, expected } = answers;
  const { clock, delimiter, header, ragged, columns } = source;
  const { place, hours, split } = design.certificate;
  const { cells: _, ...shares } = split;
  const notes = [...(isTrial(answers) ? [TRIAL_NOTE] : []), ...oneEndNotes(answers), ...answers.notes];
  const approvers = new Set(answers.approvers.map(({ subject }) => subject));
  const isNested = isJson(source) && Object.values(columns).some((column) => column.includes('.'));
  const isUsualCsv = source.format !== 'csv' || (delimiter === ',' && header === null);
  return fillTemplate(PROJECT_FILES.series, {
    ...answers,
    ...design.certificate,
    ...source, // over the format and the rows of the certificate
    place,
    split: shares,
    ...usualCaps(answers),
    custodians: answers.custodians.filter((subject) => !approvers.has(subject)),
    clock: clock.includes('%') ? { format: clock } : clock,
    compression: source.compression === 'none' ? null : source.compression,
    encoding: source.encoding === 'utf-8' ? null : source.encoding,
    csv: isUsualCsv ? null : { delimiter, ...(header && { header }), ...(ragged && { ragged }) },
    ...(isNested && { columns: null, select: selectOf(source, (column) => column) }),
    ...('tap' in columns && {
      tap: columns.tap,
      tapSelect: selectOf(source, (tap) => `CASE ${tap} WHEN 'IN' THEN 'on' WHEN 'OUT' THEN 'off' END`),
    }),
    day: answers.starts === '00:00' ? null : { starts: answers.starts },
    minutes: design.grid.minutes,
    hours: hours && {},
    shows: design.shows,
    expected: expected && { tapsPerWeek: expected },
    locations: Object.fromEntries(modes.map((mode) => [mode, { dictionary: lists.ofMode.get(mode) }])),
    gate: { required: answers.required },
    purpose: isTrial(answers) ? 'trial' : null,
    notes: notes.length > 0 ? notes : null,
  });
}

/** The column that says on or off. */
const TAP_COLUMN = 'tap';

/** A select that yields the columns; `ofTap`: what it makes of the column of on and off, whose words nobody knows. */
function selectOf(source: ProjectAnswers['source'], ofTap: (column: string) => string): string {
  const quote = (column: string): string =>
    isJson(source) ? `json->>'$.${column.split('.').map(step).join('.')}'` : `"${column.replaceAll('"', '""')}"`;
  const columns = Object.entries(source.columns).map(([name, column]) => {
    const expression = quote(column);
    return `${name === TAP_COLUMN ? ofTap(expression) : expression} AS ${name}`;
  });
  return `SELECT ${columns.join(', ')} FROM source`;
}

/** A step of a path of JSON, within a text of SQL. */
const step = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '\\"').replaceAll("'", "''")}"`;

/** Readers learn from the notes when the unit covers one end of a trip alone. */
function oneEndNotes({ source, design }: ProjectAnswers): string[] {
  const { unit, publish } = design.certificate;
  const { taps } = UNITS[unit];
  const isOneEnd = source.rows === 'trips' && taps !== 'maxTaps' && taps[publish] < ENDS_PUBLISHED[publish];
  return isOneEnd ? [`The unit ${unit} protects one end of a trip; of both together it promises half as much.`] : [];
}

/** A trial may have data of any year. */
const ANY_AGE = 36_600;
/** A release that is this late is asked for by somebody, and not by a schedule. */
const USUAL_LATE_DAYS = 60;

/** The policy of the custodian: what may be drawn at all. `key`: the public key that signs series files and orders. */
export function policyText(answers: ProjectAnswers, key: string): Promise<string> {
  const { epsilon, delta, unit, neighbours, rho } = answers.design.certificate;
  const demo = isTrial(answers);
  return fillTemplate(PROJECT_FILES.policy, {
    format: POLICY_FORMAT,
    demo,
    key,
    powers: [...POLICY_POWERS],
    population: answers.population,
    sources: [answers.source.store],
    unit,
    neighbours,
    ...usualCaps(answers),
    mechanisms: ['complete-domain', rho === undefined ? 'stability-histogram' : 'discrete-gaussian'],
    accounting: rho === undefined ? null : 'rho',
    release: { epsilon, delta, ...(rho !== undefined && { rho }) },
    lateDays: demo ? ANY_AGE : USUAL_LATE_DAYS,
  });
}

/** The deployment file, from which `opaline up` starts the stack. */
export const deploymentText = (answers: ProjectAnswers): Promise<string> =>
  fillTemplate('deployment.yaml', { ...answers.source, demo: isTrial(answers) });

export const protectionWords = ({ design }: ProjectAnswers): string => {
  const { unit, maxTaps, epsilon } = design.certificate;
  return `${UNITS[unit].protects(maxTaps)}, at ε = ${epsilon} for each release`;
};
