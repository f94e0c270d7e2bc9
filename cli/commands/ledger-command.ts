import type { Command } from 'commander';
import { planSeries } from '../../client/ledger/ledger-plan.ts';
import { checkLedger, type LedgerCheck, selectPopulations } from '../../client/ledger/ledger-populations.ts';
import { readPublishedTips, readStagedTips } from '../../client/ledger/named-tips.ts';
import { ERRORS, wrongUse } from '../../contracts/errors.ts';
import { burnDown } from '../../core/ledger/burn-down.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { highWaterFile } from '../../custodian/custody/high-water.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { planTakeover, type TakeoverDraft, takeoverOfShown } from '../../services/orders/takeover-order.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import { ledgerReader, releaseStore } from '../client-deployment.ts';
import { command, group } from '../command.ts';
import { type ComparedLedger, compareLedgers } from '../compared-ledgers.ts';
import { PASSPHRASE, POLICY_KEY } from '../key-options.ts';
import { burnDownText, planText } from '../ledger-text.ts';
import { ORDER_FILE, readWhole, writeOrder } from '../order-file.ts';

export const ledgerCommand = (): Command =>
  group('ledger', 'the record of what was charged to whom: show it, plan with it, verify it', [
    command('show', 'list what was charged and refused, and how the budget burns down')
      .argument('[population]', EVERY)
      .example('opaline ledger show demo-riders')
      .run(async ({ population: named }) => {
        const reader = await ledgerReader();
        const populations = await Promise.all(
          (await selectPopulations(reader.releaseStore, named)).map(async (population) => ({
            population,
            ...burnDown((await verifyLedger(reader, population)).entries),
          })),
        );
        return { value: { populations }, text: populations.map(burnDownText).join('\n\n') || EMPTY };
      }),
    command('plan', 'what releases would cost, and when a cap would refuse one; nothing is drawn or charged')
      .argument('<series>', 'the series file')
      .required('--window <YYYY-MM-DD>', 'first day of the first window')
      .usual('--releases <n>', 'windows in a row; 52 are a year of weekly runs', '1')
      .example('opaline ledger plan examples/demo.yaml --window 2026-03-02 --releases 52')
      .run(async ({ series }, { window, releases }) => {
        const plan = await planSeries(await ledgerReader(), series, window, readWholeNumber('--releases', releases));
        return { value: plan, text: planText(plan) };
      }),
    command('verify', 'walk the hash chain of the ledger: its signatures, and what manifests name of it')
      .argument('[population]', EVERY)
      .option('--publications <folder>', 'compare with the publications in a folder, too, such as those of a mirror')
      .option('--private', 'on the custodian side: compare the ledger of the private store with its copies, too')
      .example('opaline ledger verify')
      .run(async ({ population: named }, options) => {
        const { releaseStore: store, trust } = await ledgerReader();
        const keys = ledgerKeysOf(await trust());
        const publicTips = options.publications === undefined ? [] : await readPublishedTips(options.publications);
        const tips = [...(await readStagedTips(store)), ...publicTips];
        const populations = await selectPopulations(store, named, tips);
        const checks = await Promise.all(populations.map((population) => checkLedger(store, population, keys, tips)));
        const comparison = options.private ? await compareLedgers(named) : null;
        const isWhole = [...checks, ...(comparison ?? [])].every((one) => one.verified);
        return {
          value: { verified: isWhole, populations: checks.map(checkJson), ...(comparison && { private: comparison }) },
          text: lines(checks.map(checkText), comparison?.map(comparisonText)) || EMPTY,
          exit: isWhole ? undefined : ERRORS.LEDGER_BROKEN.exit,
        };
      }),
    command(
      'takeover <population>',
      'order that a ledger goes on that the private store has lost; look at its copies first',
    )
      .option('--policy <file>', 'the policy file: what no entry explains is charged at its greatest')
      .option('--state <file>', 'with --policy: state file of the private worker, when its mark is given up')
      .option('--from <file>', 'begin an empty ledger with what `ledger show --json` of an older build has printed')
      .required(...POLICY_KEY)
      .option(...PASSPHRASE)
      .required(...ORDER_FILE)
      .example('opaline ledger takeover demo-riders --policy policy.yaml --key policy.pem --out takeover.order.json')
      .run(async ({ population }, options) => {
        const { policy, state, from } = options;
        if ((policy === undefined) === (from === undefined) || (state !== undefined && policy === undefined))
          throw wrongUse('A takeover goes by --policy, which --state may go with, or by --from alone.');
        const draft =
          policy === undefined
            ? takeoverOfShown((await readWhole(from!, '`ledger show --json` prints it')).toString('utf8'), population)
            : await takeoverByPolicy(population, policy, state);
        const { value } = await writeOrder(draft, '', options);
        const text = lines(
          `Ordered that the ledger of ${population} goes on after entry ${draft.tip?.sequence ?? 0}: ${options.out}`,
          `Releases with tables that no entry explains, charged at the greatest: ${draft.unexplained.map(({ release }) => release).join(', ') || 'none'}.`,
          'Hand it over with `opaline order put`, then start the private worker again.',
        );
        return { value, text };
      }),
  ]);

const EVERY = 'one population; all of them without it';
const EMPTY = 'No ledger yet: nothing was ever charged.';

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

const comparisonText = ({ population, verified, sentences }: ComparedLedger): string[] =>
  verified
    ? [`✓ ${population}: the ledger of the private store and its copies are the same.`]
    : sentences.map((sentence) => `✗ ${population}: ${sentence}`);

async function takeoverByPolicy(population: string, path: string, state: string | undefined): Promise<TakeoverDraft> {
  const { populations } = (await readPolicyFile(path)).policy;
  const rules = Object.hasOwn(populations, population) ? populations[population] : undefined;
  if (!rules) throw wrongUse(`The policy names no population ${population}.`);
  const mark = state === undefined ? null : await highWaterFile(state).read(population);
  return planTakeover(await releaseStore(), population, rules, mark);
}
