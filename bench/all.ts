import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sectionOf } from './measured-parts.ts';

/**
 * Runs every benchmark of this folder in a process of its own, one after the other: `node bench/all.ts`, or with words
 * that a name must hold, `node bench/all.ts stages sampler`. Then it shows the aims of docs/performance.md beside what
 * was reached. Ends with code 1 when one of them fails.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));
const words = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts') && (words.length === 0 || words.some((word) => name.includes(word))))
  .sort();

for (const name of names) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [`${folder}${name}`], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
console.log(sectionOf(readFileSync(new URL('../docs/performance.md', import.meta.url), 'utf8'), 'aims'));
