import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { diagnose } from '../../client/doctor.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { limitsOf } from '../../contracts/stage-limits.ts';
import { until } from '../observe/scrape.fixture.ts';
import { newFolder } from '../support/new-folder.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import { commandsOf, openStackOf } from '../upgrade/earlier-stack.fixture.ts';
import { change, earlierTree, isThere } from '../upgrade/other-build.fixture.ts';
import { PlantedFault } from './planted-fault.fixture.ts';

/** The last build whose public stages had no limit of attempts. */
const ENDLESS_BUILD = '2cdddc0';
const hasEndlessBuild = await isThere(ENDLESS_BUILD);

/** Seconds until everything here is where it is waited for, on a machine that is busy with other tests. */
const PATIENCE = 120;
const LONG = { timeout: 3 * PATIENCE * 1000 };

test.runIf(hasEndlessBuild)(
  `a release that the build ${ENDLESS_BUILD} repeats for ever is freed by the upgrade, at no further charge`,
  LONG,
  async () => {
    const root = newFolder();
    const tree = await earlierTree(ENDLESS_BUILD, root);
    const pauses = "initialInterval: '1 second', maximumInterval: '1 minute'";
    await change(
      tree,
      'workflows/activities.ts',
      pauses,
      "initialInterval: '100 milliseconds', maximumInterval: '100 milliseconds'",
    );
    const endless = await PlantedFault.in(tree, 'activities/public/audit.ts', 'const { releaseStore } = context;');
    await endless.set('broken');
    let at = await openStackOf(root, tree);
    try {
      const own = await writeSmallSeries(join(root, 'small'));
      await writeSmallTrips(join(at.stack.files.sources, 'trips'));
      const looping = await (await commandsOf(tree, at.client, own)).start(1);
      const handle = () => at.client.temporal.workflow.getHandle(releaseWorkflowId(looping));
      const attempt = async () => {
        const [pending] = (await handle().describe()).raw.pendingActivities ?? [];
        return pending?.activityType?.name === 'audit' ? (pending.attempt ?? 0) : 0;
      };
      await until(attempt, (made) => made > limitsOf('audit').attempts, PATIENCE);
      // The server lists a run somewhat later than it knows it.
      const found = await until(
        () => diagnose(at.deployment),
        (all) => all.length > 0,
        PATIENCE,
      );
      expect(found.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining('audit has failed'));
      await at.close();

      at = await openStackOf(root);
      const { charge } = await reaches(at.client, looping, ['waiting'], PATIENCE);
      const { events } = await handle().fetchHistory();
      const ends = events?.flatMap((event) => event.activityTaskFailedEventAttributes?.failure ?? []) ?? [];
      expect(ends.map(({ applicationFailureInfo }) => applicationFailureInfo?.type)).toEqual(['ENDLESS_ATTEMPTS']);
      expect(charge).not.toBe(null);
      const { entries } = await readLedger(at.client.releaseStore, 'small-riders');
      expect(entries.map(({ kind }) => kind)).toEqual(['reserve', 'takeover']);
    } finally {
      await at.close();
    }
  },
);
