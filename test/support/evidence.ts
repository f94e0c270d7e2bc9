import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * What a page with measured figures is made from: docs/evidence/NAME.json, written by the run that measured. A page is
 * a function of its evidence, so that a row that was typed by hand is another page.
 */
const evidenceSchema = z.strictObject({
  format: z.literal('opaline-evidence/1'),
  /** What measures it again. */
  command: z.string().min(1),
  /** The commit whose code was measured; of rows that were measured at several, the oldest. */
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** Folders and files with the code that was measured. */
  measures: z.array(z.string()).min(1),
  /** SHA-256 of the raw rows as JSON. */
  sha256: z.string(),
  rows: z.unknown(),
});
export type Evidence = z.output<typeof evidenceSchema>;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const fileOf = (name: string): string => `${ROOT}/docs/evidence/${name}.json`;
const digestOf = (rows: unknown): string => createHash('sha256').update(JSON.stringify(rows)).digest('hex');

/** The commit that is checked out. */
export const headCommit = (): string =>
  execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();

/** The evidence of a page, or null. Throws when its rows are not those of its digest. */
export function readEvidence(name: string): Evidence | null {
  if (!existsSync(fileOf(name))) return null;
  const evidence = evidenceSchema.parse(JSON.parse(readFileSync(fileOf(name), 'utf8')));
  if (digestOf(evidence.rows) !== evidence.sha256) throw new Error(`docs/evidence/${name}.json: edited by hand`);
  return evidence;
}

export function writeEvidence(
  name: string,
  { command, commit, measures, rows }: Pick<Evidence, 'command' | 'commit' | 'measures' | 'rows'>,
): Evidence {
  const evidence: Evidence = {
    ...{ format: 'opaline-evidence/1' as const, command, commit, measures },
    ...{ sha256: digestOf(rows), rows },
  };
  mkdirSync(`${ROOT}/docs/evidence`, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(evidence, null, 1)}\n`);
  return evidence;
}

/**
 * Has the measured code changed since? Null: git cannot say, as the history of this copy does not have the commit. Tests
 * and proofs are no measured code.
 */
export function hasChanged({ commit, measures }: Pick<Evidence, 'commit' | 'measures'>): boolean | null {
  const paths = [...measures, ':(exclude)*.test.ts', ':(exclude)*.proof.md'];
  const { status } = spawnSync('git', ['diff', '--quiet', commit, '--', ...paths], { cwd: ROOT });
  return status === 0 ? false : status === 1 ? true : null;
}

/** Where figures come from: a line of every page that is made from evidence. */
export function originLine({ command, commit, measures }: Evidence, changed: boolean): string {
  const age = changed ? ` That code has changed since: what it does now was not measured.` : '';
  return `Measured by \`${command}\` at commit ${commit.slice(0, 12)}: ${measures.join(', ')}.${age}`;
}

/**
 * What a page says of figures from before there was evidence, instead: nobody can make them again from a raw file. A
 * run of their command writes evidence, and takes the line away with the last of them.
 */
export const HAND_LINE =
  /^Figures without a file in `docs\/evidence` were measured at commit ([0-9a-f]{12}) or before; their raw rows were not kept, so that no file makes them again\.$/m;
