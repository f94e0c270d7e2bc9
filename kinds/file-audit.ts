import type { AuditReport } from '../contracts/audit-report.ts';
import { partitionPath, releasePath } from '../contracts/names.ts';
import type { AuditInput } from '../contracts/stages.ts';
import { type ExactFinding, exact, holesCheck, judge, UNREADABLE } from '../core/verdict/exact-finding.ts';
import { foldVerdicts, type LevelledCheck, runChecks } from '../core/verdict/verdict.ts';

/** A check of published files by themselves: the audit makes it, and so does whoever verifies. */
export type PublicationCheck<Published> = readonly [
  id: string,
  attack: string,
  check: (files: Published) => ExactFinding,
];

/** What a kind audits a release by. */
export type FileAudit<Published, Expected> = {
  /** Reads the staged files. Throws when one is missing or not of its form. */
  read(): Published;
  checks: readonly PublicationCheck<Published>[];
  /** Does each part of the release say what was drawn, and what its series says? */
  comparisons: Readonly<Record<string, (files: Published, own: Expected) => boolean>>;
  expected: Expected;
  /** What is tried with them, and what is so when all hold. */
  compared: { attack: string; right: string };
  /** Checks of what the mechanism did to made-up counts. */
  mechanism: readonly LevelledCheck[];
  /** What a release has in place of data that is missing. */
  instead: string;
};

/** What a function makes; null when it throws. */
function attempt<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch {
    return null;
  }
}

/**
 * The report of an audit by files and a shadow run. A check that cannot be made finds that a file is not of its form.
 *
 * @contract C15
 */
export function auditFiles<Published, Expected>(
  input: AuditInput,
  { read, checks, comparisons, expected, compared, mechanism, instead }: FileAudit<Published, Expected>,
): AuditReport {
  const files = attempt(read);
  const findingOf = (check: PublicationCheck<Published>[2]): ExactFinding =>
    (files && attempt(() => check(files))) ?? UNREADABLE;
  const once = findingOf((own) => {
    const other = Object.entries(comparisons).find(([, isSame]) => !isSame(own, expected));
    const problem =
      other && `The ${other[0]} is not what was drawn, or what the series says: it was drawn again, or changed.`;
    return judge(problem, compared.right);
  });
  const [first, ...others] = checks.map(([id, attack, check]) => exact(id, attack, findingOf(check)));
  const all = [first!, exact('one-draw', compared.attack, once), ...others]; // in the order of the report
  const outcomes = runChecks([
    ...all.map((finding) => () => finding),
    ...mechanism,
    () => holesCheck(input.holes.map(partitionPath), instead),
  ]);
  return { format: 'opaline-audit/2', release: releasePath(input), verdict: foldVerdicts(outcomes), checks: outcomes };
}
