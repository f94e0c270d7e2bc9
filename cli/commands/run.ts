import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { planRun, type RunPlan } from '../../client/plan-run.ts';
import { startRelease } from '../../client/start-release.ts';
import { EXIT } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { amountText } from '../amount-text.ts';
import { define, readWholeNumber, releaseStore, withClient } from '../command.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { window: string; releaseVersion: string; dryRun?: boolean; yes?: boolean };

export function runCommand(): Command {
  const command = new Command('run')
    .description('make one release: from the source to the gate')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the window')
    .option('--release-version <n>', 'version of the release; a new one is a new charge', '1')
    .option('--dry-run', 'show what the release would make and cost; nothing is drawn or charged')
    .option('--yes', 'do not ask before the budget is charged');
  define(command, 'opaline run examples/demo.yaml --window 2026-03-02', async ([file], options: Options) => {
    const version = readWholeNumber('--release-version', options.releaseVersion);
    const plan = await planRun({ releaseStore: await releaseStore() }, file!, options.window, version);
    if (options.dryRun) return print(options, plan.summary, planText(plan));
    await withClient(async (client) => {
      if (!options.yes && !(await confirmed(plan))) {
        process.exitCode = EXIT.interrupted;
        return print(options, { started: false }, 'Nothing was started.');
      }
      const interrupted = interruption();
      await followRelease(client, await startRelease(client, plan), options, interrupted);
    });
  });
  return command;
}

function planText({ run, summary }: RunPlan): string {
  const { certificate, partitions, overCap } = summary;
  const { epsilon, delta, unit, neighbours, scale } = certificate;
  const threshold =
    certificate.threshold === null ? 'every cell is published' : `a cell is published from ${certificate.threshold} on`;
  return [
    `${releasePath(run)} would make ${partitions} partitions.`,
    `It would charge ε = ${amountText(epsilon)}, δ = ${amountText(delta)} to each block, for unit ${unit}, neighbours ${neighbours}.`,
    `Noise of scale ${scale}; ${threshold}.`,
    overCap ?? 'The ledger has room for it.',
  ].join('\n');
}

/** Asks on a terminal only: a script that leaves out --yes is taken at its word. Ctrl-C and Ctrl-D mean no. */
async function confirmed(plan: RunPlan): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test(await Promise.race([terminal.question(`${planText(plan)}\nGo on? [y/N] `), closed]));
  } finally {
    terminal.close();
  }
}
