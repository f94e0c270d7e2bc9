import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty folder for all tests of a file, which calls this while it is read. Removed last, after its own `afterAll`. */
export const folderOfFile = (): string => removedBy(afterAll);

/** An empty folder for one test, which calls this itself or in its `beforeEach`; not for concurrent tests. */
export const folderOfTest = (): string => removedBy(onTestFinished);

function removedBy(end: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'opaline-test-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
