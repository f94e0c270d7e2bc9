import type { Command } from 'commander';
import { releaseExists } from '../../client/opaline-client.ts';
import { forecast } from '../../client/release/forecast.ts';
import { planRun, type RunPlan, requireStartable, startRelease } from '../../client/release/plan-run.ts';
import { releasePath } from '../../contracts/names.ts';
import { costText } from '../../core/ledger/shown-amount.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { requireAllowedHere, requireLeaveHere } from '../allowed-series.ts';
import { withClient } from '../client.ts';
import { ledgerReader, seriesTarget } from '../client-deployment.ts';
import { ASK_BEFORE_CHARGE, command, ORDER, WINDOW } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { overCapExit } from '../ledger-text.ts';
import { readOrderFile } from '../order-file.ts';

/** The remark when the client's own key has signed the series file or the order. */
const SIGNED_BY_ITSELF =
  'Series file and order were signed by the key of the policy that this client has: for trials, where one person is everybody.\n';

export const runCommand = (): Command =>
  command('run', 'make one release: from the source to the gate')
    .argument('<series>', 'the series file')
    .required(...WINDOW)
    .usual('--release-version <n>', 'version of the release; a new one is a new charge', '1')
    .option(...ORDER)
    .option('--dry-run', 'show what it would make and cost, and refuse what it would; nothing is charged')
    .option(...ASK_BEFORE_CHARGE)
    .example('opaline run examples/demo.yaml --window 2026-03-02')
    .run(async ({ series }, options) => {
      const version = readWholeNumber('--release-version', options.releaseVersion);
      const { window } = options;
      const reader = await ledgerReader();
      const plan = await planRun(reader, series, window, version);
      const { series: declared, dictionaries: lists } = plan.loaded;
      const outlook = await forecast(reader, { release: plan.run, series: declared, lists });
      // Before the series file is applied: what is refused leaves nothing behind.
      if (plan.summary.isCharged) throw releaseExists(plan.run);
      const order = await readOrderFile(options.order);
      await requireAllowedHere(plan.loaded);
      await requireStartable(await seriesTarget(), plan, order);
      if (version === 1 && !order) await requireLeaveHere(plan.loaded, [window], { series, from: window, to: window });
      const { summary } = plan;
      const text = planText(plan, outlook);
      if (options.dryRun) return { value: { ...summary, expected: outlook }, text, exit: overCapExit(summary.overCap) };
      if (!(await confirm(text, options))) return;
      await withClient(async (client) => {
        const signal = interruption();
        const run = await startRelease(client, plan, order);
        if (client.signingKey !== null && !options.json) process.stderr.write(SIGNED_BY_ITSELF);
        await followRelease(client, run, options, signal);
      });
    });

const planText = ({ run, summary }: RunPlan, outlook: readonly string[]): string =>
  lines(
    `${releasePath(run)} would make ${summary.partitions} partitions.`,
    `It would charge ${costText(summary.cost)} to each block.`,
    summary.inWords,
    outlook,
    summary.overCap ?? 'The ledger has room for it.',
  );
