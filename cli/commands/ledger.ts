import { Command } from 'commander';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { signOrder } from '../../activities/orders/orders.ts';
import { planTakeover } from '../../activities/orders/takeover-order.ts';
import { readPolicyFile } from '../../activities/policy/policy-file.ts';
import { highWaterFile } from '../../activities/private/custody/high-water.ts';
import { planSeries } from '../../client/ledger/ledger-plan.ts';
import { checkLedger, type LedgerCheck, selectPopulations } from '../../client/ledger/ledger-populations.ts';
import { trustedLedgerKeys } from '../../client/ledger/trusted-ledger-keys.ts';
import { ERRORS, OpalineError } from '../../contracts/errors.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { define, readWholeNumber } from '../command.ts';
import { clientDeployment, releaseStore } from '../deployment.ts';
import { type KeyOptions, PASSPHRASE_OPTION, readKey } from '../key-file.ts';
import { burnDownText, planText } from '../ledger-text.ts';
import { writeNewFile } from '../new-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function ledgerCommand(): Command {
  return new Command('ledger')
    .description('the record of what was charged to whom: show it, plan with it, verify it')
    .addCommand(showCommand())
    .addCommand(planCommand())
    .addCommand(verifyCommand())
    .addCommand(takeoverCommand());
}

function showCommand(): Command {
  const command = new Command('show')
    .description('list what was charged and refused, and how the budget burns down')
    .argument('[population]', 'one population; all of them without it');
  define(command, 'opaline ledger show demo-riders', async ([named], options) => {
    const store = await releaseStore();
    const populations = await Promise.all(
      (await selectPopulations(store, named)).map(async (population) => ({
        population,
        ...burnDown((await readLedger(store, population)).entries),
      })),
    );
    const texts = populations.map(({ population, ...burnt }) => burnDownText(population, burnt));
    print(options, { populations }, texts.join('\n\n') || 'No ledger yet: nothing was ever charged.');
  });
  return command;
}

type PlanOptions = OutputOptions & { window: string; releases: string };

function planCommand(): Command {
  const command = new Command('plan')
    .description('what releases would cost, and when a cap would refuse one; nothing is drawn or charged')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the first window')
    .option('--releases <n>', 'windows in a row; 52 are a year of weekly runs', '1');
  define(
    command,
    'opaline ledger plan examples/demo.yaml --window 2026-03-02 --releases 52',
    async ([file], options: PlanOptions) => {
      const releases = readWholeNumber('--releases', options.releases);
      const plan = await planSeries(await releaseStore(), file!, options.window, releases);
      print(options, plan, planText(plan));
    },
  );
  return command;
}

function verifyCommand(): Command {
  const command = new Command('verify')
    .description('walk the hash chain of the ledger from its first entry to its last, and look who signed the entries')
    .argument('[population]', 'one population; all of them without it');
  define(command, 'opaline ledger verify', async ([named], options) => {
    const store = await releaseStore();
    const keys = await trustedLedgerKeys(await clientDeployment());
    const populations = await selectPopulations(store, named);
    const checks = await Promise.all(populations.map((population) => checkLedger(store, population, keys)));
    const verified = checks.every((check) => check.verified);
    if (!verified) process.exitCode = ERRORS.LEDGER_BROKEN.exit;
    const text = checks.map(checkText).join('\n') || 'No ledger yet: nothing was ever charged.';
    print(options, { verified, populations: checks }, text);
  });
  return command;
}

function checkText(check: LedgerCheck): string {
  if (!check.verified) return `✗ ${check.population}: ${check.code}: ${check.message}`;
  return `✓ ${check.population}: the chain of ${check.entries} entries is whole; its newest entry has SHA-256 ${check.tip}.`;
}

type TakeoverOptions = OutputOptions & KeyOptions & { policy: string; out: string; state?: string };

function takeoverCommand(): Command {
  const command = new Command('takeover')
    .description(
      'order that a ledger goes on which the private store has lost, or never had; look at the release store first',
    )
    .argument('<population>')
    .requiredOption('--policy <file>', 'the policy file: what no entry explains is charged at its greatest')
    .requiredOption('--key <file>', 'private key of the policy; it may be encrypted')
    .option(...PASSPHRASE_OPTION)
    .requiredOption('--out <file>', 'new file for the order; `order put` hands it over')
    .option('--state <file>', 'state file of the private worker, when its mark is given up');
  const example = 'opaline ledger takeover demo-riders --policy policy.yaml --key policy.pem --out takeover.order.json';
  define(command, example, async ([population], options: TakeoverOptions) => {
    const { policy } = await readPolicyFile(options.policy);
    const rules = Object.hasOwn(policy.populations, population!) ? policy.populations[population!] : undefined;
    if (!rules) throw new OpalineError('USAGE', `The policy names no population ${population}.`);
    const mark = options.state === undefined ? null : await highWaterFile(options.state).read(population!);
    const draft = await planTakeover(await releaseStore(), population!, rules, mark);
    const { bytes, order } = signOrder(draft, await readKey(options.key, options));
    await writeNewFile(options.out, bytes.toString('utf8'), 0o644);
    const text = [
      `Ordered that the ledger of ${population} goes on after entry ${draft.tip?.sequence ?? 0}: ${options.out}`,
      `Releases of an earlier build that are taken over with their tables: ${draft.releases.length}.`,
      `Releases with tables that no entry explains, charged at the greatest: ${draft.unexplained.map(({ release }) => release).join(', ') || 'none'}.`,
      'Hand it over with `opaline order put`, then start the private worker again.',
    ].join('\n');
    print(options, { order, file: options.out }, text);
  });
  return command;
}
