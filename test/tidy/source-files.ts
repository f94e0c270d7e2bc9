import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files of the project as git sees them, the new ones included. */
export const projectFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

/** Files that git keeps, also those that it was later told to ignore. */
export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

export const readProjectFile = (file: string): string => readFileSync(`${ROOT}/${file}`, 'utf8');

export const typescriptFiles = (): string[] => projectFiles().filter((file) => file.endsWith('.ts'));

export const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.startsWith('test/');

/** What runs, and what measures it: neither tests nor what only they use. */
export const productionFiles = (): string[] =>
  typescriptFiles().filter((file) => !isTest(file) && !file.endsWith('.fixture.ts'));

/** Code without input, output, clock or soft randomness, in rooms of its own and in those of the kinds and custodians. */
export const isPure = (file: string): boolean =>
  /^(?:core|counts|foreign-audit|kinds\/[a-z-]+\/(?:mechanism|bounding)|custodian\/risk\/measures|services\/metadata)\//.test(
    file,
  );

/** One import, or one export of what another file has; `to` is a path of the project, or the name of a package. */
export type Import = { from: string; to: string; typeOnly: boolean };

export function importsOf(file: string, text: string): Import[] {
  const pattern = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    from: file,
    to: match[2]!.startsWith('.') ? posix.join(posix.dirname(file), match[2]!) : match[2]!,
    typeOnly: match[1] !== undefined,
  }));
}
