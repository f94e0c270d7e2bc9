import { stringify } from 'yaml';
import { POLICY_FORMAT, POLICY_POWERS, type Policy } from '../../contracts/formats/policy.ts';
import type { Project } from '../../contracts/project.ts';
import { windowsOfYear } from '../../core/calendar/window.ts';
import { formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { ENDS_PUBLISHED, UNITS } from '../../counts/certificate/units.ts';
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

/** Text as a YAML scalar. */
const quoted = (text: string): string => JSON.stringify(text);

const times = (amount: string, factor: number): string =>
  formatRational(multiply(parseRational(amount), rational(BigInt(factor))));

/** Caps that follow from ε, δ and the length of a window alone: room for one correction, and for a year of releases. */
function usualCaps({ privacy: { epsilon, delta }, window }: ProjectAnswers): Policy['populations'][string]['caps'] {
  const year = windowsOfYear({ window: { ...window, lagDays: 0 } }) + 1;
  return {
    block: { epsilon: times(epsilon, 2), delta: times(delta, 2) },
    year: { epsilon: times(epsilon, year), delta: times(delta, year) },
  };
}

/** What stands in the notes of a trial, and so in its statement. */
const TRIAL_NOTE = 'This is a trial: one person holds roles that exclude each other. It is no publication of record.';

/** The series file of a project, with a comment where people decide. */
export function seriesText(answers: ProjectAnswers): string {
  const { source, window, privacy, modes, lists } = answers;
  const caps = usualCaps(answers);
  const notes = [...(conflicts(answers).length > 0 ? [TRIAL_NOTE] : []), ...oneEndNotes(answers)];
  const approving = new Set(answers.approvers.map(({ subject }) => subject));
  const custodians = answers.custodians.filter((subject) => !approving.has(subject));
  const line = (text: string, wanted: boolean): string[] => (wanted ? [text] : []);
  const cap = ({ epsilon, delta }: { epsilon: string; delta: string }) => `{ epsilon: ${epsilon}, delta: ${delta} }`;
  return `${[
    '# What is published, from what, and how it is protected. docs/series.md says what every field means.',
    '# After a change: `opaline check series.yaml`, then sign it anew:',
    '#   opaline series sign series.yaml --key keys/series.pem',
    `series: ${answers.series}`,
    '# The people whom the source may hold; every series over the same people names the same population.',
    `population: ${answers.population}`,
    `timeZone: ${answers.timeZone}`,
    '# Who may see raw data: none of them decides at the gate.',
    `custodians: [${custodians.map(quoted).join(', ')}]`,
    '',
    '# How the rows are read. `opaline preview` shows, to custodians, what is made of them.',
    'source:',
    `  store: ${source.store}    # where it is stands in deployment.yaml`,
    '  # {date} is YYYY-MM-DD, {mode} a mode, * anything but a slash.',
    `  pattern: ${quoted(source.pattern)}`,
    `  format: ${source.format}`,
    ...line(`  compression: ${source.compression}`, source.compression !== 'none'),
    ...line(`  encoding: ${source.encoding}`, source.encoding !== 'utf-8'),
    `  rows: ${source.rows}`,
    `  clock: ${source.clock.includes('%') ? `{ format: ${quoted(source.clock)} }` : source.clock}`,
    ...line(`  card: ${source.card}    # what a card id is: text, or a whole number (number)`, source.card !== null),
    ...csvLines(source),
    '  # column of Opaline: column of the source',
    ...tapWords(source.columns),
    '  columns:',
    ...Object.entries(source.columns).map(([name, column]) => `    ${name}: ${quoted(column)}`),
    '',
    'window:',
    ...Object.entries(window).map(([field, value]) => `  ${field}: ${value}`),
    '',
    '# The public grid that taps are counted on. Never take it from the source.',
    'bins:',
    '  minutes: 15',
    '  locations:',
    ...modes.map((mode) => `    ${mode}: { dictionary: ${quoted(lists.ofMode.get(mode) ?? '')} }`),
    `modes: [${modes.join(', ')}]`,
    '',
    '# Nobody looked at the data for these numbers. What a release costs: `opaline run … --dry-run`.',
    'privacy:',
    '  mechanism: stability-histogram',
    `  unit: ${privacy.unit}`,
    ...line(`  maxTaps: ${privacy.maxTaps}`, privacy.maxTaps !== null),
    '  neighbours: replace-one',
    `  epsilon: ${privacy.epsilon}`,
    `  delta: ${privacy.delta}`,
    ...line(
      `  # A delivery that cannot be read: split: { checks: 1/4 } with rejects: { ${modes[0]}: 5000 }, the most of a day.`,
      privacy.maxTaps === null,
    ),
    '  caps:',
    '    # A release and one correction.',
    `    block: ${cap(caps.block)}`,
    `    # ${windowsOfYear({ window: { ...window, lagDays: 0 } })} windows touch 365 days; one more is for a correction.`,
    `    year: ${cap(caps.year)}`,
    '',
    '# Who decides stands in trust.json.',
    'gate:',
    `  required: ${answers.required}`,
    '',
    'publication:',
    `  title: ${quoted(answers.title)}`,
    `  licence: ${quoted(answers.licence)}`,
    ...(notes.length > 0 ? ['  notes:', ...notes.map((note) => `    - ${quoted(note)}`)] : []),
  ].join('\n')}\n`;
}

/** How taps are read that have other words than ours: nobody looks whether they do. */
function tapWords({ tap, ...others }: ProjectAnswers['source']['columns']): string[] {
  if (tap === undefined) return [];
  const named = (column: string) => `"${column.replaceAll('"', '""')}"`;
  const yielded = [
    ...Object.entries(others).map(([name, column]) => `${named(column)} AS ${name}`),
    `CASE ${named(tap)} WHEN 'IN' THEN 'on' WHEN 'OUT' THEN 'off' END AS tap`,
  ];
  return [
    '  # `tap` says on or off. Where it says IN and OUT, or anything else, write in place of `columns`:',
    `  #   select: SELECT ${yielded.join(', ')} FROM source`,
  ];
}

/** Where the unit covers one end of a trip alone, readers are told. */
function oneEndNotes({ source, privacy: { unit } }: ProjectAnswers): string[] {
  const { taps } = UNITS[unit];
  const isOneEnd = source.rows === 'trips' && taps !== 'maxTaps' && taps['on+off'] < ENDS_PUBLISHED['on+off'];
  return isOneEnd ? [`The unit ${unit} protects one end of a trip; of both together it promises half as much.`] : [];
}

function csvLines({ format, delimiter, header }: ProjectAnswers['source']): string[] {
  if (format !== 'csv' || (delimiter === ',' && header === null)) return [];
  const names = header === null ? '' : `, header: [${header.map(quoted).join(', ')}]`;
  return [`  csv: { delimiter: ${quoted(delimiter)}${names} }`];
}

/** Whoever tries it out has data of any year. */
const ANY_AGE = 36_600;
/** A release that is this late is asked for by somebody, and not by a schedule. */
const USUAL_LATE_DAYS = 60;

/** The policy of the custodian: what may be drawn at all. `key`: the public key that signs series files and orders. */
export function policyText(answers: ProjectAnswers, key: string): string {
  const { epsilon, delta, unit } = answers.privacy;
  const isTrial = conflicts(answers).length > 0;
  const policy: Policy = {
    format: POLICY_FORMAT,
    number: 1,
    demo: isTrial,
    keys: [{ name: 'series key', key, may: [...POLICY_POWERS], revoked: false }],
    revokedSeries: [],
    populations: {
      [answers.population]: {
        sources: [answers.source.store],
        unit,
        neighbours: 'replace-one',
        mechanisms: ['stability-histogram', 'complete-domain'],
        release: { epsilon, delta },
        caps: usualCaps(answers),
        lateDays: isTrial ? ANY_AGE : USUAL_LATE_DAYS,
      },
    },
  };
  return [
    '# What may be drawn at all: the private worker asks it before everything that it does. docs/policy.md.',
    '# After a change: count `number` up, `opaline check policy.yaml`, and start the stack again.',
    '# lateDays: so many days after its end the first version of a window needs no order; others do.',
    stringify(policy, { aliasDuplicateObjects: false }),
  ].join('\n');
}

/** The deployment file, from which `opaline up` starts the stack. */
export function deploymentText(answers: ProjectAnswers): string {
  const project: Project = {
    sources: { [answers.source.store]: answers.source.place },
    trust: PROJECT_FILES.trust,
    policyFile: PROJECT_FILES.policy,
    ledgerKeyFile: PROJECT_FILES.key('ledger'),
    publisherKeyFile: PROJECT_FILES.key('publisher'),
    allowDemoKeys: conflicts(answers).length > 0,
  };
  return [
    '# What `opaline up` starts in this folder. It is yours: no command writes it a second time.',
    '# A source is { kind: folder, path: … } or { kind: s3, bucket: …, prefix: …, endpoint: …, forcePathStyle: true }.',
    '# What a source of S3 does not say, AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY do.',
    stringify(project),
  ].join('\n');
}
