import { expect, test } from 'vitest';
import { SHOWN_HEADING } from '../../services/audit-page/page-subject.ts';
import { sectionOf } from './release-briefing.ts';

test('the section of the statement, and nothing of those beside it', () => {
  const statement = `# Title\n\n## What this is\n\nCounts.\n\n## ${SHOWN_HEADING}\n\nA sentence.\n\n| Mode |\n| --- |\n\n## Audit\n\nPass.\n`;
  expect(sectionOf(statement, SHOWN_HEADING)).toBe('A sentence.\n\n| Mode |\n| --- |');
});

test('a statement of another kind has none', () => {
  expect(sectionOf('# Title\n\n## Audit\n\nPass.\n', SHOWN_HEADING)).toBeNull();
});
