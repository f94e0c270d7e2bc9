import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { withReached, withSection } from './throughput/page-section.ts';

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));

/** Writes what a run has measured into docs/performance.md: parts by their names, and what it reached of the aims. */
export async function writePerformance(
  parts: Readonly<Record<string, string>>,
  reached: Readonly<Record<string, string>> = {},
): Promise<void> {
  const page = await readFile(PAGE, 'utf8');
  const written = Object.entries(parts).reduce((text, [part, own]) => withSection(text, part, own), page);
  await writeFile(PAGE, withReached(written, reached));
  console.log('Written: docs/performance.md');
}
