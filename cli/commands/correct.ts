import { Command, Option } from 'commander';
import { type CorrectionPlan, planCorrection, startCorrection } from '../../client/release/correct-release.ts';
import { ERRORS } from '../../contracts/errors.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { Correction } from '../../contracts/stages.ts';
import { CORRECTION_REASONS } from '../../contracts/stages.ts';
import { amountText } from '../../core/rational/amount-text.ts';
import { requireOrder } from '../../services/orders/orders.ts';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { readOrderFile } from '../order-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & {
  partition: string[];
  reason: Correction['reason'];
  order?: string;
  dryRun?: boolean;
  yes?: boolean;
};

export function correctCommand(): Command {
  const command = new Command('correct')
    .description('make a new version that draws and charges the named partitions anew and carries the others over')
    .argument('<release>')
    .requiredOption(
      '--partition <part/day...>',
      'partitions to draw anew: people choose them, never a comparison of data',
    )
    .addOption(
      new Option('--reason <code>', 'why, in public words').choices([...CORRECTION_REASONS]).makeOptionMandatory(),
    )
    .option('--order <file>', 'order of a key of the policy, where one is needed')
    .option('--dry-run', 'show what would be drawn and charged, and refuse what would be refused; nothing is started')
    .option('--yes', 'do not ask before the budget is charged');
  const example = 'opaline correct demo-taps/2026-03-02/v1 --partition bus/2026-03-04 --reason object-corrected';
  return define(command, example, async ([name], { partition, reason, ...options }: Options) => {
    await withClient(async (client) => {
      const plan = await planCorrection(client, readRelease(name), readPartitions(partition), reason);
      const order = await readOrderFile(options.order);
      if (options.dryRun) {
        await requireOrder(client, { kind: 'version', ...plan.input }, order);
        if (plan.overCap !== null) process.exitCode = ERRORS.BUDGET_EXCEEDED.exit;
        return print(options, { ...plan, release: releasePath(plan.input) }, planText(plan));
      }
      if (plan.overCap === null && !(await confirmed(planText(plan), options))) return;
      await followRelease(client, await startCorrection(client, plan, order), options, interruption());
    });
  });
}

function planText({ input, partitions, cost, overCap }: CorrectionPlan): string {
  const named = input.correction.partitions.map(partitionPath);
  return [
    `${releasePath(input)} would draw ${named.join(', ')} anew, and carry ${partitions - named.length} of ${partitions} partitions over.`,
    `It would charge ε = ${amountText(cost.epsilon)}, δ = ${amountText(cost.delta)} to each block that it draws.`,
    overCap ?? 'The ledger has room for it.',
  ].join('\n');
}
