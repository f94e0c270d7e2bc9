import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files of the project as git sees them, the new ones included. */
export const projectFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '');

export const readProjectFile = (file: string): string => readFileSync(`${ROOT}/${file}`, 'utf8');

export const typescriptFiles = (): string[] => projectFiles().filter((file) => file.endsWith('.ts'));

export const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.startsWith('test/');
