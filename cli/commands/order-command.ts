import type { Command } from 'commander';
import { planCorrection } from '../../client/release/correct-release.ts';
import { requireApplied } from '../../client/series/applied-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { CORRECTION_REASONS } from '../../contracts/stages.ts';
import { charges, ledgerAccounting } from '../../core/ledger/budget.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { countOf } from '../../core/text/wording.ts';
import { draftClearance, putClearance, readClearance } from '../../custodian/source/clearances.ts';
import { writeNewFile } from '../../services/files/new-file.ts';
import { verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { putOrder, readOrder } from '../../services/orders/orders.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import { withClient } from '../client.ts';
import { ledgerReader, releaseStore } from '../client-deployment.ts';
import { command, group, readPartitions } from '../command.ts';
import { PASSPHRASE, POLICY_KEY, readKey } from '../key-options.ts';
import { ORDER_FILE, readWhole, writeOrder } from '../order-file.ts';
import { custodianSide } from '../private-deployment.ts';

export const orderCommand = (): Command =>
  group('order', 'let a key of the policy order what the policy does not allow by itself', [
    declare(
      'version <release>',
      'order one further version of a window, the one that you name; or the correction of a release, with --partition',
    )
      .option('--series <file>', 'the series file that it runs under (default: the newest that was applied)')
      .option('--partition <part/day...>', 'order the next version of RELEASE, which draws these partitions again')
      .option('--reason <code>', 'with --partition: why, in public words', CORRECTION_REASONS)
      .example('opaline order version demo-taps/2026-03-02/v2 --key policy.pem --out v2.order.json')
      .run(async ({ release }, options) => {
        const { partition, reason, series } = options;
        if ((partition === undefined) !== (reason === undefined))
          throw wrongUse('A correction is ordered with --partition and --reason.');
        if (reason !== undefined) {
          const plan = await withClient((client) => planCorrection(client, release, readPartitions(partition), reason));
          return writeOrder({ kind: 'version', ...plan.input }, `the correction of ${releasePath(release)}`, options);
        }
        const { digest } = await (series === undefined
          ? readApplied(await releaseStore(), release.series)
          : loadSeriesFile(series));
        const draft = { kind: 'version', ...release, seriesDigest: digest, correction: null } as const;
        return writeOrder(draft, releasePath(release), options);
      }),
    declare(
      'windows <series>',
      'order first versions of all windows between two days; SERIES is a name, or a file that was never applied',
    )
      .required('--from <YYYY-MM-DD>', 'first day')
      .required('--to <YYYY-MM-DD>', 'last day')
      .example('opaline order windows demo-taps --from 2026-01-05 --to 2026-03-30 --key policy.pem --out w.order.json')
      .run(async ({ series: named }, options) => {
        const { from, to } = options;
        if (from > to) throw wrongUse('--from takes the earlier day and --to the later one.');
        const isFile = /\.ya?ml$/i.test(named);
        const { series, digest } = isFile
          ? await loadSeriesFile(named)
          : await requireApplied(await releaseStore(), named);
        const draft = { kind: 'windows', series: series.series, seriesDigest: digest, from, to } as const;
        return writeOrder(draft, `windows of ${series.series}`, options);
      }),
    declare('rho <population>', 'order that a population counts ρ from its next charge on, and for good')
      .example('opaline order rho demo-riders --key policy.pem --out rho.order.json')
      .run(async ({ population }, options) => {
        const { entries } = await verifyLedger(await ledgerReader(), population);
        if (ledgerAccounting(entries) === 'rho') throw wrongUse(`The population ${population} counts ρ already.`);
        const count = charges(entries, 'rho').length;
        const { value } = await writeOrder({ kind: 'accounting', population, accounting: 'rho' }, '', options);
        const text = lines(
          `Ordered that ${population} counts ρ from its next charge on: ${options.out}`,
          `${countOf(count, 'charge')} of complete-domain with δ = 0 ${count === 1 ? 'becomes' : 'become'} ρ = ε²/2. There is no way back.`,
          'Write accounting: rho, with caps in rho, into the next number of the policy, and hand the order over with `opaline order put`.',
        );
        return { value, text };
      }),
    declare(
      'clear <release>',
      'order which deliveries of a release count, where the policy asks for that; on the custodian side only',
    )
      .option('--except <object...>', 'objects that do not count: copies, and what was delivered wrongly')
      .example('opaline order clear demo-taps/2026-03-02/v1 --key policy.pem --out clear.json')
      .run(async ({ release }, options) => {
        const clearance = await draftClearance(await custodianSide(), release, options.except ?? []);
        const bytes = jsonBytes(signDocument(clearance, await readKey(options.key, options)));
        await writeNewFile(options.out, bytes.toString('utf8'), 0o600);
        const { deliveries } = clearance;
        const text = lines(
          `Cleared for ${releasePath(release)}: ${deliveries.map(({ object }) => object).join(', ')}.`,
          `${options.out} names digests of raw data: keep it on the custodian side.`,
        );
        return { value: { clearance, file: options.out }, text };
      }),
    command(
      'put <file>',
      'hand an order over to the private worker, in the release store; a clearance in the private store; then retry',
    )
      .example('opaline order put v2.order.json')
      .run(async ({ file }) => {
        const bytes = await readWhole(file, '`opaline order` makes an order');
        const clearance = readClearance(bytes);
        if (clearance) {
          await putClearance((await custodianSide()).privateStore, clearance, bytes);
          return { value: { clearance }, text: 'The clearance is handed over. Retry the release that waits for it.' };
        }
        const order = readOrder(bytes);
        await putOrder(await releaseStore(), order);
        return {
          value: { order: order.order },
          text: 'The order is handed over. Retry the release that waits for it.',
        };
      }),
  ]);

const declare = <Use extends string>(use: Use, does: string) =>
  command(use, does)
    .required(...POLICY_KEY)
    .option(...PASSPHRASE)
    .required(...ORDER_FILE);
