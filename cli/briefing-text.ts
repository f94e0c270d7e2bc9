import type { ChangesSince } from '../client/release/changes-since.ts';
import type { Briefing } from '../client/release/release-briefing.ts';
import { releasePath, SHOWN_HEADING } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { amountText } from '../core/rational/amount-text.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { zonedTime } from '../services/calendar/local-time.ts';

/** Changed fields that are told one by one; the rest is counted. */
const FIELDS_TOLD = 12;

/** States in which somebody may still decide. */
const AT_THE_GATE: readonly ReleaseState[] = ['waiting', 'approved-waiting', 'expired'];

/** What somebody who decides has to know, in plain words; times as the clock of a zone shows them. */
export function briefingText(briefing: Briefing, status: ReleaseStatus, timeZone: string): string {
  const { shown, since } = briefing;
  const isOpen = AT_THE_GATE.includes(status.state);
  const parts = [
    pagesText(briefing),
    pointsText(briefing),
    shown === null ? [] : [`${SHOWN_HEADING}:`, shown],
    since ? sinceText(since) : isOpen ? ['No release of this series was published before it.'] : [],
    costText(briefing),
    isOpen ? peopleText(briefing, status, timeZone) : [],
    isOpen ? undoText(status) : [],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** The commands that open what can be read. */
export function pagesText({ release, pages }: Briefing): string[] {
  if (pages.length === 0) return [];
  return [
    'To read, with everything that would be published:',
    ...pages.map((page) => `  opaline open ${release} --page ${page}`),
  ];
}

/** What failed and what asks for attention, each with its sentence. */
export function pointsText({ points, checks }: Briefing): string[] {
  if (!checks) return [];
  const heading = `Of ${checks.all} checks of the audit ${checks.held} held, and ${checks.untried} were not tried.`;
  const named = points.map(({ id, verdict, sentence }) => `${verdict === 'fail' ? '✗' : '!'} ${id}: ${sentence}`);
  return [heading, ...named];
}

function sinceText({ release, fields, otherBuild, holes, filled }: ChangesSince): string[] {
  const told = fields
    .slice(0, FIELDS_TOLD)
    .map(
      ({ field, before, after }) => `  ${plainLine(field)}: ${plainLine(before ?? '–')} → ${plainLine(after ?? '–')}`,
    );
  const lines = [
    ...(fields.length > 0 ? ['  The series file differs:', ...told.map((line) => `  ${line}`)] : []),
    ...(fields.length > told.length ? [`    and ${fields.length - told.length} more fields.`] : []),
    ...(otherBuild ? ['  Another build of Opaline made it.'] : []),
    ...(holes.length > 0 ? [`  Without data: ${holes.join(', ')}.`] : []),
    ...(filled.length > 0 ? [`  No longer without data: ${filled.join(', ')}.`] : []),
  ];
  if (lines.length === 0) return [`Nothing is declared otherwise than in ${release}, the last one that was published.`];
  return [`Since ${release}, the last one that was published:`, ...lines];
}

function costText({ privacy }: Briefing): string[] {
  if (!privacy) return [];
  const { release, window, left } = privacy;
  const versions = window.charges === 1 ? 'its one version' : `its ${window.charges} versions together`;
  return [
    `Privacy: this release costs ε = ${amountText(release.epsilon)}, δ = ${amountText(release.delta)}.`,
    `  This window has cost ε = ${amountText(window.epsilon)}, δ = ${amountText(window.delta)} in ${versions}.`,
    ...(left
      ? [
          `  Left: ε = ${amountText(left.block.epsilon)} for these days, for ever; ε = ${amountText(left.year.epsilon)} over the fullest 365 days of data around them.`,
        ]
      : []),
  ];
}

function peopleText({ people }: Briefing, { state, expiresAt }: ReleaseStatus, timeZone: string): string[] {
  if (!people) return [];
  const { required, signed, missing, others } = people;
  const who = others.length > 0 ? others.map(plainLine).join(', ') : 'nobody else';
  const until = state === 'waiting' && expiresAt ? `, until ${zonedTime(expiresAt, timeZone)}` : '';
  return [
    `Approved by ${signed.length > 0 ? signed.map(plainLine).join(', ') : 'nobody yet'}; ${required} needed.`,
    ...(missing > 0 ? [`  ${missing} missing${until}. Could sign: ${who}.`] : []),
  ];
}

function undoText({ state, publishNotBefore, ...release }: ReleaseStatus): string[] {
  const name = releasePath(release);
  const when = publishNotBefore ? 'on its day of publication' : 'at once';
  return state === 'expired'
    ? ['It can be offered again at no cost, or withdrawn.']
    : [
        `With the last approval it is published ${when}. Until then \`opaline withdraw ${name}\` takes it back.`,
        `What was published stays with those who have it; \`opaline retract ${name}\` marks it as not to be used.`,
      ];
}
