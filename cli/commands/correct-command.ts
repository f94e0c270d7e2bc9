import type { Command } from 'commander';
import { type CorrectionPlan, planCorrection, startCorrection } from '../../client/release/correct-release.ts';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import { CORRECTION_REASONS } from '../../contracts/stages.ts';
import { costText } from '../../core/ledger/shown-amount.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { requireOrder, signOrder } from '../../services/orders/orders.ts';
import { ASK_BEFORE_CHARGE, command, ORDER, readPartitions } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { PASSPHRASE, readKey } from '../key-options.ts';
import { overCapExit } from '../ledger-text.ts';
import { readOrderFile } from '../order-file.ts';

export const correctCommand = (): Command =>
  command(
    'correct <release>',
    'make a new version that draws and charges the named partitions again and keeps the others',
  )
    .required('--partition <part/day...>', 'partitions to draw again: people choose them, never a comparison of data')
    .required('--reason <code>', 'why, in public words', CORRECTION_REASONS)
    .option(...ORDER)
    .option('--key <file>', 'private key of the policy that orders it, in place of --order')
    .option(...PASSPHRASE)
    .option('--dry-run', 'show what would be drawn and charged, and refuse what would be refused; nothing is started')
    .option(...ASK_BEFORE_CHARGE)
    .example('opaline correct demo-taps/2026-03-02/v1 --partition bus/2026-03-04 --reason object-corrected')
    .ask(async (client, { release }, options) => {
      const plan = await planCorrection(client, release, readPartitions(options.partition), options.reason);
      const orderWith = async (key: string) =>
        signOrder({ kind: 'version', ...plan.input }, await readKey(key, options));
      const order = options.key === undefined ? await readOrderFile(options.order) : await orderWith(options.key);
      const text = planText(plan);
      if (options.dryRun) {
        await requireOrder(client, { kind: 'version', ...plan.input }, order);
        return { value: { ...plan, release: releasePath(plan.input) }, text, exit: overCapExit(plan.overCap) };
      }
      if (plan.overCap === null && !(await confirm(text, options))) return;
      await followRelease(client, await startCorrection(client, plan, order), options, interruption());
    });

function planText({ input, partitions, cost, overCap }: CorrectionPlan): string {
  const names = input.correction.partitions.map(partitionPath);
  return lines(
    `${releasePath(input)} would draw ${names.join(', ')} again, and carry ${partitions - names.length} of ${partitions} partitions over.`,
    `It would charge ${costText(cost)} to each block that it draws.`,
    overCap ?? 'The ledger has room for it.',
  );
}
