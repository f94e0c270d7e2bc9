import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { walkLedger } from '../../activities/ledger/ledger.ts';
import { draftsOf } from '../../client/drafts.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { LEDGER_FORMAT } from '../../contracts/formats/ledger.ts';
import { releasePath } from '../../contracts/names.ts';
import { newFolder } from '../support/new-folder.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { writeSmallTrips } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import { openStackOf } from './earlier-stack.fixture.ts';
import { earlierTree, isThere } from './other-build.fixture.ts';

/** Builds that stored drafts of generation 2 in the form that was frozen: the first of them, and the last. */
const DRAFTS = ['8eabab5', 'cf9cb5c'];

test.each(DRAFTS)(
  'a state folder of the build %s with drafts goes on: an open gate, a ledger, a publication',
  async (build) => {
    if (!(await isThere(build))) return;
    const root = newFolder();
    const tree = await earlierTree(build, root);
    const load = (file: string) => import(pathToFileURL(join(tree, file)).href);
    const { planRun, startRelease } = await load('client/release/plan-run.ts');
    const { decideRelease } = await load('client/release/decide-release.ts');
    const { OpalineClient } = await load('client/opaline-client.ts');
    const before = await openStackOf(root, tree);
    const client = await OpalineClient.open(before.deployment);
    const series = await writeWeeklySeries(join(root, 'weekly'), { series: 'weekly', population: 'weekly' });
    await writeSmallTrips(join(before.stack.files.sources, 'trips'));
    const start = async (version: number) => {
      const run = await startRelease(client, await planRun(client, series.file, '2026-03-02', version));
      await reaches(before.client, run, ['waiting'], 120);
      return run;
    };
    const first = await start(1);
    const terms = { decision: 'approve', reason: 'audit-passed', note: '', acknowledged: [] };
    await decideRelease(client, { release: first, ...terms, privateKey: series.key.privateKey });
    await reaches(before.client, first, ['published'], 120);
    const open = await start(2);
    await client.close();
    await before.close();

    const now = await openStackOf(root);
    try {
      const { objects, findings } = await draftsOf(now.deployment);
      expect(findings).toEqual([]);
      expect(objects).toMatchObject({ 'opaline-ledger/2-draft': 4, 'opaline-manifest/2-draft': 2 });
      await reaches(now.client, open, ['waiting'], 120);
      await decideSmall(now.client, series, open, 'approve');
      await reaches(now.client, open, ['published'], 120);
      const third = await startSmall(now.client, series, 3);
      await reaches(now.client, third, ['waiting'], 120);
      await decideSmall(now.client, series, third, 'approve');
      await reaches(now.client, third, ['published'], 120);
      const { entries } = await walkLedger(now.client.releaseStore, 'weekly');
      expect(entries.map(({ kind }) => kind)).toEqual([
        'policy',
        'reserve',
        'commit',
        'reserve',
        'commit',
        'reserve',
        'commit',
      ]);
      expect(new Set(entries.map(({ format }) => format))).toEqual(new Set([LEDGER_FORMAT]));
      for (const release of [first, open, third]) {
        const report = await verifyPublication(join(now.stack.files.publication, releasePath(release)));
        expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
      }
      expect(await draftsOf(now.deployment)).toMatchObject({ objects, findings: [] });
    } finally {
      await now.close();
    }
  },
);
