import { Command } from 'commander';
import { releaseExists } from '../../client/opaline-client.ts';
import { planRun, type RunPlan, requireStartable, startRelease } from '../../client/release/plan-run.ts';
import { ERRORS } from '../../contracts/errors.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { amountText } from '../../core/rational/amount-text.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { requireAllowedHere, requireLeaveHere } from '../allowed-series.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { ledgerReader, seriesTarget } from '../deployment.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { readOrderFile } from '../order-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & {
  window: string;
  releaseVersion: string;
  order?: string;
  dryRun?: boolean;
  yes?: boolean;
};

/** What is said when the client's own key has signed the series file or the order. */
const SIGNED_BY_ITSELF =
  'Series file and order were signed by the key of the policy that this client has: for trials, where one person is everybody.\n';

export function runCommand(): Command {
  const command = new Command('run')
    .description('make one release: from the source to the gate')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the window')
    .option('--release-version <n>', 'version of the release; a new one is a new charge', '1')
    .option('--order <file>', 'order of a key of the policy, where one is needed')
    .option(
      '--dry-run',
      'show what the release would make and cost, and refuse what the run would; nothing is drawn or charged',
    )
    .option('--yes', 'do not ask before the budget is charged');
  return define(command, 'opaline run examples/demo.yaml --window 2026-03-02', async ([file], options: Options) => {
    const version = readWholeNumber('--release-version', options.releaseVersion);
    const reader = await ledgerReader();
    const plan = await planRun(reader, file!, options.window, version);
    // Before the series file is applied: what is refused leaves nothing behind.
    if (await reader.releaseStore.head(RELEASE_KEYS.execution(plan.run))) throw releaseExists(plan.run);
    const order = await readOrderFile(options.order);
    await requireAllowedHere(plan.loaded);
    await requireStartable(await seriesTarget(), plan, order);
    if (version === 1 && !order)
      await requireLeaveHere(plan.loaded, [options.window], {
        series: file!,
        from: options.window,
        to: options.window,
      });
    if (options.dryRun) {
      if (plan.summary.overCap !== null) process.exitCode = ERRORS.BUDGET_EXCEEDED.exit;
      return print(options, plan.summary, planText(plan));
    }
    if (!(await confirmed(planText(plan), options))) return;
    await withClient(async (client) => {
      const interrupted = interruption();
      const run = await startRelease(client, plan, order);
      if (client.signingKey !== null && !options.json) process.stderr.write(SIGNED_BY_ITSELF);
      await followRelease(client, run, options, interrupted);
    });
  });
}

function planText({ run, summary }: RunPlan): string {
  const { certificate, inWords, partitions, overCap } = summary;
  const { epsilon, delta } = certificate;
  return [
    `${releasePath(run)} would make ${partitions} partitions.`,
    `It would charge ε = ${amountText(epsilon)}, δ = ${amountText(delta)} to each block.`,
    ...inWords,
    overCap ?? 'The ledger has room for it.',
  ].join('\n');
}
