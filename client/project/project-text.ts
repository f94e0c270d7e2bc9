import { Document, type Scalar, type YAMLMap } from 'yaml';
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

/** A YAML file that begins with a comment, and has comments before fields: by their paths, with dots. */
function yamlText(value: object, head: string, comments: Readonly<Record<string, string>> = {}): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  document.commentBefore = head;
  for (const [path, comment] of Object.entries(comments)) {
    const names = path.split('.');
    const holder = document.getIn(names.slice(0, -1), true) as YAMLMap<Scalar>;
    const { key } = holder.items.find((pair) => pair.key.value === names.at(-1))!;
    key.commentBefore = comment;
    key.spaceBefore = names.length === 1;
  }
  return document.toString({ lineWidth: 0 });
}

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

/** In the notes of a trial, and so in its statement. */
const TRIAL_NOTE = 'This is a trial: one person holds roles that exclude each other. It is no publication of record.';

/** The series file of a project, with a comment where people decide; docs/series.md says what the fields mean. */
export function seriesText(answers: ProjectAnswers): string {
  const { window, privacy, modes, lists, series, population, timeZone, title, licence } = answers;
  const { place: _, clock, compression, encoding, card, delimiter, header, ragged, json, ...source } = answers.source;
  const isUsualCsv = source.format !== 'csv' || (delimiter === ',' && header === null);
  const notes = [...(conflicts(answers).length > 0 ? [TRIAL_NOTE] : []), ...oneEndNotes(answers)];
  const approving = new Set(answers.approvers.map(({ subject }) => subject));
  const file = {
    series,
    population,
    timeZone,
    modes,
    custodians: answers.custodians.filter((subject) => !approving.has(subject)),
    source: {
      ...source,
      clock: clock.includes('%') ? { format: clock } : clock,
      compression: compression === 'none' ? undefined : compression,
      encoding: encoding === 'utf-8' ? undefined : encoding,
      card: card ?? undefined,
      csv: isUsualCsv ? undefined : { delimiter, header: header ?? undefined, ragged: ragged || undefined },
      json: json ?? undefined,
    },
    window,
    bins: {
      minutes: 15,
      locations: Object.fromEntries(modes.map((mode) => [mode, { dictionary: lists.ofMode.get(mode) }])),
    },
    privacy: {
      mechanism: 'stability-histogram',
      neighbours: 'replace-one',
      ...privacy,
      maxTaps: privacy.maxTaps ?? undefined,
      caps: usualCaps(answers),
    },
    gate: { required: answers.required },
    publication: { title, licence, notes: notes.length > 0 ? notes : undefined },
  };
  return yamlText(file, SERIES_HEAD, {
    source: ' How the rows are read. `opaline preview` shows, to custodians, what is made of them.',
    'source.columns': [' column of Opaline: column of the source', ...tapWords(source.columns)].join('\n'),
    bins: ' The public grid that taps are counted on. Never take it from the source.',
    privacy: ' Nobody looked at the data for these numbers. What a release costs: `opaline run … --dry-run`.',
    'privacy.caps': ' Room for a release and one correction, and for the releases of a year and one correction.',
    gate: ' trust.json names those who decide.',
  });
}

const SERIES_HEAD = ` What is published, from what, and how it is protected. docs/series.md says what every field means.
 After a change: \`opaline check series.yaml\`, then sign it again:
   opaline series sign series.yaml --key keys/series.pem`;

/** How taps are read that have other words than ours: nobody looks whether they do. */
function tapWords({ tap, ...others }: ProjectAnswers['source']['columns']): string[] {
  if (tap === undefined) return [];
  const named = (column: string) => `"${column.replaceAll('"', '""')}"`;
  const yielded = [
    ...Object.entries(others).map(([name, column]) => `${named(column)} AS ${name}`),
    `CASE ${named(tap)} WHEN 'IN' THEN 'on' WHEN 'OUT' THEN 'off' END AS tap`,
  ];
  return [
    ' `tap` says on or off. Where it says IN and OUT, or anything else, write in place of `columns`:',
    `   select: SELECT ${yielded.join(', ')} FROM source`,
  ];
}

/** Readers learn from the notes when the unit covers one end of a trip alone. */
function oneEndNotes({ source, privacy: { unit } }: ProjectAnswers): string[] {
  const { taps } = UNITS[unit];
  const isOneEnd = source.rows === 'trips' && taps !== 'maxTaps' && taps['on+off'] < ENDS_PUBLISHED['on+off'];
  return isOneEnd ? [`The unit ${unit} protects one end of a trip; of both together it promises half as much.`] : [];
}

/** A trial may have data of any year. */
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
  return yamlText(policy, POLICY_HEAD);
}

const POLICY_HEAD = ` What may be drawn at all: the private worker asks it before everything that it does. docs/policy.md.
 After a change: count \`number\` up, \`opaline check policy.yaml\`, and start the stack again.
 lateDays: n days after its end the first version of a window needs no order; others do.`;

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
  return yamlText(project, DEPLOYMENT_HEAD);
}

const DEPLOYMENT_HEAD = ` What \`opaline up\` starts in this folder. It is yours: no command writes it a second time.
 A source is { kind: folder, path: … } or { kind: s3, bucket: …, prefix: …, endpoint: …, forcePathStyle: true }.
 What a source of S3 does not say, AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY do.`;
