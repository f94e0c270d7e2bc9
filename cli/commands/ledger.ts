import { Command } from 'commander';
import { planSeries } from '../../client/ledger/ledger-plan.ts';
import { checkLedger, type LedgerCheck, selectPopulations } from '../../client/ledger/ledger-populations.ts';
import { publishedTips, stagedTips } from '../../client/ledger/named-tips.ts';
import { ERRORS, OpalineError } from '../../contracts/errors.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { comparedLedger } from '../../custodian/custody/compared-ledger.ts';
import { highWaterFile } from '../../custodian/custody/high-water.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { writeNewFile } from '../../services/files/new-file.ts';
import { believedLedger } from '../../services/ledger/believed-ledger.ts';
import { signOrder } from '../../services/orders/orders.ts';
import { planTakeover } from '../../services/orders/takeover-order.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import { define } from '../command.ts';
import { ledgerReader, releaseStore } from '../deployment.ts';
import { type KeyOptions, PASSPHRASE_OPTION, readKey } from '../key-file.ts';
import { burnDownText, planText } from '../ledger-text.ts';
import { custodianSide } from '../private-deployment.ts';
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
  return define(command, 'opaline ledger show demo-riders', async ([named], options) => {
    const reader = await ledgerReader();
    const populations = await Promise.all(
      (await selectPopulations(reader.releaseStore, named)).map(async (population) => ({
        population,
        ...burnDown((await believedLedger(reader, population)).entries),
      })),
    );
    const texts = populations.map(({ population, ...burnt }) => burnDownText(population, burnt));
    print(options, { populations }, texts.join('\n\n') || 'No ledger yet: nothing was ever charged.');
  });
}

type PlanOptions = OutputOptions & { window: string; releases: string };

function planCommand(): Command {
  const command = new Command('plan')
    .description('what releases would cost, and when a cap would refuse one; nothing is drawn or charged')
    .argument('<series>', 'the series file')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the first window')
    .option('--releases <n>', 'windows in a row; 52 are a year of weekly runs', '1');
  const example = 'opaline ledger plan examples/demo.yaml --window 2026-03-02 --releases 52';
  return define(command, example, async ([file], options: PlanOptions) => {
    const releases = readWholeNumber('--releases', options.releases);
    const plan = await planSeries(await ledgerReader(), file!, options.window, releases);
    print(options, plan, planText(plan));
  });
}

type VerifyOptions = OutputOptions & { publications?: string; private?: true };

/** What was found of one ledger of the private store. */
type LedgerReport = { population: string; verified: boolean; sentences: string[]; lines: string[] };

function verifyCommand(): Command {
  const command = new Command('verify')
    .description(
      'walk the hash chain of the ledger from its first entry to its last, look who signed the entries, and whether it holds what manifests name of it',
    )
    .argument('[population]', 'one population; all of them without it')
    .option('--publications <folder>', 'compare with the publications in a folder, too, such as those of a mirror')
    .option('--private', 'on the custodian side: compare the ledger of the private store with its copies, too');
  return define(command, 'opaline ledger verify', async ([named], options: VerifyOptions) => {
    const { releaseStore: store, trust } = await ledgerReader();
    const keys = ledgerKeysOf(await trust());
    const published = options.publications === undefined ? [] : await publishedTips(options.publications);
    const tips = [...(await stagedTips(store)), ...published];
    const populations = await selectPopulations(store, named, tips);
    const checks = await Promise.all(populations.map((population) => checkLedger(store, population, keys, tips)));
    const compared = options.private ? await custodianReports(named) : [];
    const verified = checks.every((check) => check.verified) && compared.every((report) => report.verified);
    if (!verified) process.exitCode = ERRORS.LEDGER_BROKEN.exit;
    const lines = [...checks.map(checkText), ...compared.flatMap((report) => report.lines)];
    const own = options.private ? { private: compared.map(({ lines: _, ...report }) => report) } : {};
    const text = lines.join('\n') || 'No ledger yet: nothing was ever charged.';
    print(options, { verified, populations: checks.map(checkJson), ...own }, text);
  });
}

function checkText(check: LedgerCheck): string {
  if (!check.verified) return `✗ ${check.population}: ${check.code}: ${check.message}`;
  const { entries, tip } = check.ledger;
  return `✓ ${check.population}: the chain of ${entries.length} entries is whole; its newest entry has SHA-256 ${tip}.`;
}

function checkJson(check: LedgerCheck): object {
  if (!check.verified) return check;
  const { ledger, ...rest } = check;
  return { ...rest, entries: ledger.entries.length, tip: ledger.tip };
}

/** What the custodian's own store says, of one population or of all in the policy. */
async function custodianReports(named: string | undefined): Promise<LedgerReport[]> {
  const context = await custodianSide();
  const populations = named === undefined ? Object.keys(context.policy.policy.populations) : [named];
  return Promise.all(
    populations.map(async (population) => {
      const sentences = await comparedLedger(context, population);
      const verified = sentences.length === 0;
      const good = `✓ ${population}: the ledger of the private store and its copies are the same.`;
      const lines = verified ? [good] : sentences.map((sentence) => `✗ ${population}: ${sentence}`);
      return { population, verified, sentences, lines };
    }),
  );
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
  return define(command, example, async ([population], options: TakeoverOptions) => {
    const { policy } = await readPolicyFile(options.policy);
    const rules = Object.hasOwn(policy.populations, population!) ? policy.populations[population!] : undefined;
    if (!rules) throw new OpalineError('USAGE', `The policy names no population ${population}.`);
    const mark = options.state === undefined ? null : await highWaterFile(options.state).read(population!);
    const draft = await planTakeover(await releaseStore(), population!, rules, mark);
    const { bytes, order } = signOrder(draft, await readKey(options.key, options));
    await writeNewFile(options.out, bytes.toString('utf8'), 0o644);
    const text = [
      `Ordered that the ledger of ${population} goes on after entry ${draft.tip?.sequence ?? 0}: ${options.out}`,
      `Releases with tables that no entry explains, charged at the greatest: ${draft.unexplained.map(({ release }) => release).join(', ') || 'none'}.`,
      'Hand it over with `opaline order put`, then start the private worker again.',
    ].join('\n');
    print(options, { order, file: options.out }, text);
  });
}
