import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tamperFindings } from '../../client/tampering/tampering.ts';
import { LEDGER_FORMAT } from '../../contracts/formats/ledger-entry.ts';
import type { appendToLedger } from '../../services/ledger/ledger.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { locateFiles } from '../../stack/embedded-files.ts';
import { newFolder } from '../support/new-folder.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { ledgerWriter } from '../support/test-custody.ts';
import { reaches } from '../support/test-stack.ts';
import { TEST_CHAIN } from '../support/trust-files.ts';
import { openStackOf } from './earlier-stack.fixture.ts';
import { earlierTree, lastCommit } from './other-build.fixture.ts';

/**
 * What the last commit on main has left running goes on under the working tree; or, where the number of the ledger is
 * another one by intent, its folder is named and nothing begins in it.
 */
const commit = await lastCommit();

test.skipIf(commit === null)(
  `an open gate of the last commit goes on, or its folder is named (${commit ?? 'there is no history of git'})`,
  { tags: 'soak', timeout: 300_000 },
  async () => {
    const root = newFolder();
    const tree = await earlierTree(commit!, root);
    const load = (file: string) => import(pathToFileURL(join(tree, file)).href);
    // Whatever the file is called there.
    const words = ['-rhoE', "LEDGER_FORMAT = '[^']+'", join(tree, 'contracts')];
    const before = execFileSync('grep', words, { encoding: 'utf8' }).trim();
    if (before !== `LEDGER_FORMAT = '${LEDGER_FORMAT}'`)
      return expectNamed(root, (await load('services/ledger/ledger.ts')).appendToLedger);
    const source = join(locateFiles(root).sources, 'trips');
    await writeSmallTrips(source);
    const series = await writeSmallSeries(join(root, 'series'));
    const old = await openStackOf(root, tree);
    const gate = await startSmall(old.client, series);
    await reaches(old.client, gate, ['waiting'], 120);
    await old.close();
    const now = await openStackOf(root);
    try {
      await decideSmall(now.client, series, gate, 'approve');
      await reaches(now.client, gate, ['published'], 120);
    } finally {
      await now.close();
    }
  },
);

/** The last commit writes an entry of its ledger; `doctor` and `up` of this build say what to do. */
async function expectNamed(root: string, append: typeof appendToLedger): Promise<void> {
  const store = new FolderStore(locateFiles(root).store('release'));
  const refuse = { kind: 'refuse', release: 'small/2026-03-02/v1', code: 'BUDGET_EXCEEDED', subject: 'a', reason: 'b' };
  await append(ledgerWriter(store), 'small-riders', () => refuse as never);
  const [finding] = await tamperFindings(store, TEST_CHAIN, { thorough: false });
  expect(finding).toMatchObject({
    sentence: expect.stringMatching(/has a form that this build does not read.*opaline up --reset/),
  });
  await expect(openStackOf(root)).rejects.toMatchObject({
    code: 'SETUP_FAILED',
    message: expect.stringContaining('runbook ledger-behind'),
  });
}
