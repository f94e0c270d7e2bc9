import { expect, test } from 'vitest';
import { MemoryStore } from '../../activities/stores/memory-store.ts';
import { FILES, RELEASE_KEYS, SHOWN_HEADING } from '../../contracts/names.ts';
import { shownSection } from './shown-section.ts';

const release = { series: 'demo', window: '2026-03-02', version: 1 };

async function sectionIn(statement: string | null): Promise<string | null> {
  const releaseStore = new MemoryStore();
  if (statement !== null)
    await releaseStore.putIfAbsent(RELEASE_KEYS.staged(release, FILES.statement), Buffer.from(statement, 'utf8'));
  return shownSection({ releaseStore }, release);
}

test('the section of the statement, and nothing of those beside it', async () => {
  const statement = `# Title\n\n## What this is\n\nCounts.\n\n## ${SHOWN_HEADING}\n\nA sentence.\n\n| Mode |\n| --- |\n\n## Audit\n\nPass.\n`;
  expect(await sectionIn(statement)).toBe('A sentence.\n\n| Mode |\n| --- |');
});

test('a release without a statement, or with one of an earlier build, has none', async () => {
  expect(await sectionIn(null)).toBeNull();
  expect(await sectionIn('# Title\n\n## Audit\n\nPass.\n')).toBeNull();
});
