import { type ChangesSince, changesInWords } from '../client/release/changes-since.ts';
import { type Briefing, publicationWords } from '../client/release/release-briefing.ts';
import { releasePath } from '../contracts/names.ts';
import type { ReleaseState } from '../contracts/release-state.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { costText, type ShownAmount } from '../core/ledger/shown-amount.ts';
import { amountText } from '../core/rational/amount-text.ts';
import { paragraphs, type TextParts } from '../core/text/paragraphs.ts';
import { plainLine } from '../core/text/plain-text.ts';
import { DAYS_HEADING, SHOWN_HEADING } from '../services/audit-page/page-subject.ts';
import { clockText } from '../services/calendar/local-time.ts';

/** States in which somebody may still decide. */
const AT_THE_GATE: readonly ReleaseState[] = ['waiting', 'approved-waiting', 'expired'];

/** What somebody who decides has to know, in plain words; times as the clock of a zone shows them. */
export function briefingText(briefing: Briefing, status: ReleaseStatus, timeZone: string): string {
  const { shown, forecast, days, since } = briefing;
  const isOpen = AT_THE_GATE.includes(status.state);
  return paragraphs(
    pagesText(briefing),
    pointsText(briefing),
    shown !== null && [`${SHOWN_HEADING}:`, shown, forecast],
    days !== null && [`${DAYS_HEADING}:`, days],
    since ? sinceText(since) : isOpen && 'No release of this series was published before it.',
    costLines(briefing),
    isOpen && peopleText(briefing, status, timeZone),
    isOpen && undoText(status),
  );
}

/** The commands that open what can be read. */
export const pagesText = ({ release, pages }: Briefing): TextParts =>
  pages.length > 0 && [
    'To read, with everything that would be published:',
    pages.map((page) => `  opaline show ${release} --open ${page}`),
  ];

/** What failed and what asks for attention, each with its sentence. */
export const pointsText = ({ points, checks }: Briefing): TextParts =>
  checks && [
    `Of ${checks.all} checks of the audit ${checks.held} held, and ${checks.untried} were not tried.`,
    points.map(({ id, verdict, sentence }) => `${verdict === 'fail' ? '✗' : '!'} ${id}: ${sentence}`),
  ];

function sinceText(since: ChangesSince): TextParts {
  const { head, differences } = changesInWords(since);
  return [head, differences.map((line) => `  ${plainLine(line)}`)];
}

function costLines({ privacy }: Briefing): TextParts {
  if (!privacy) return null;
  const { release, window, left } = privacy;
  const versions = window.charges === 1 ? 'its one version' : `its ${window.charges} versions together`;
  return [
    `Privacy: this release costs ${costText(release)}.`,
    `  This window has cost ${costText(window)} in ${versions}.`,
    left &&
      `  Left: ${restText(left.block)} for these days, for ever; ${restText(left.year)} over the fullest 365 days of data around them.`,
  ];
}

/** What is left of a cap: ε, or ρ with ε beside it. */
const restText = (rest: ShownAmount): string => ('rho' in rest ? costText(rest) : `ε = ${amountText(rest.epsilon)}`);

function peopleText({ people }: Briefing, { state, expiresAt }: ReleaseStatus, timeZone: string): TextParts {
  if (!people) return null;
  const { required, signed, missing, others } = people;
  const who = others.length > 0 ? others.map(plainLine).join(', ') : 'nobody else';
  const until = state === 'waiting' && expiresAt ? `, until ${clockText(expiresAt, timeZone)}` : '';
  return [
    `Approved by ${signed.length > 0 ? signed.map(plainLine).join(', ') : 'nobody yet'}; ${required} needed.`,
    missing > 0 && `  ${missing} missing${until}. Could sign: ${who}.`,
  ];
}

function undoText({ state, publishNotBefore, coolingHours, ...release }: ReleaseStatus): TextParts {
  if (state === 'expired') return 'It can be offered again at no cost, or withdrawn.';
  const name = releasePath(release);
  return [
    `${publicationWords({ publishNotBefore, coolingHours })} Until then an approver takes it back with \`opaline withdraw ${name} --key me.pem\`.`,
    `What was published stays with those who have it; \`opaline retract ${name}\` marks it as not to be used.`,
  ];
}
