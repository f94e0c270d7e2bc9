import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** SHA-256 of that code, as `codeDigest` makes it. */
  code: z.string(),
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

/** Writes what was measured of the code that is here, or of other code that is named. */
export function writeEvidence(
  name: string,
  {
    command,
    measures,
    rows,
    ...of
  }: Pick<Evidence, 'command' | 'measures' | 'rows'> & Partial<Pick<Evidence, 'commit' | 'code'>>,
): Evidence {
  const { commit = headCommit(), code = codeDigest(measures) } = of;
  const evidence: Evidence = {
    format: 'opaline-evidence/1' as const,
    command,
    commit,
    measures,
    code,
    sha256: digestOf(rows),
    rows,
  };
  mkdirSync(`${ROOT}/docs/evidence`, { recursive: true });
  writeFileSync(fileOf(name), `${JSON.stringify(evidence, null, 1)}\n`);
  return evidence;
}

/** SHA-256 of the names and bytes of the measured code as it is here; tests and proofs are not part of it. */
export function codeDigest(measures: readonly string[], root = ROOT): string {
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...measures];
  const listed = execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\n');
  const files = [...new Set(listed)].filter((file) => file !== '' && !/\.(test\.ts|proof\.md)$/.test(file)).sort();
  const hash = createHash('sha256');
  for (const file of files)
    if (existsSync(join(root, file))) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Is the code another one than was measured? It is compared by its bytes: a commit may be rebased away. */
export const hasChanged = ({ code, measures }: Pick<Evidence, 'code' | 'measures'>): boolean =>
  code !== codeDigest(measures);

/** Where figures come from: a line of every page that is made from evidence. */
export function originLine({ command, commit, measures }: Evidence, changed: boolean): string {
  const age = changed ? ` That code has changed since: what it does now was not measured.` : '';
  return `Measured by \`${command}\` at commit ${commit.slice(0, 12)}: ${measures.join(', ')}.${age}`;
}

/** What a page, or a part of one, says as long as it has no evidence: figures without a raw result are not evidence. */
export const UNMEASURED = 'Not measured since evidence is kept: the next run of what writes this fills it.';
