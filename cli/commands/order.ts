import { Command, Option } from 'commander';
import { planCorrection } from '../../client/release/correct-release.ts';
import { appliedSeries } from '../../client/series/applied-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { CORRECTION_REASONS, type Correction } from '../../contracts/stages.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { writeNewFile } from '../../services/files/new-file.ts';
import { type OrderDraft, putOrder, signOrder } from '../../services/orders/orders.ts';
import { takeoverOfShown } from '../../services/orders/takeover-order.ts';
import { readApplied } from '../../services/stores/series-objects.ts';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { releaseStore } from '../deployment.ts';
import { type KeyOptions, readKey, withKey } from '../key-file.ts';
import { readOrderFile } from '../order-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** A year of charges takes a tenth of it. */
const MOST_BYTES = 16 * 2 ** 20;

type SignedOptions = OutputOptions & KeyOptions & { out: string };

export function orderCommand(): Command {
  return new Command('order')
    .description('let a key of the policy order what the policy does not allow by itself')
    .addCommand(versionCommand())
    .addCommand(correctCommand())
    .addCommand(windowsCommand())
    .addCommand(ledgerCommand())
    .addCommand(putCommand());
}

const signed = (command: Command): Command =>
  withKey(command, 'private key of the policy; it may be encrypted').requiredOption(
    '--out <file>',
    'new file for the order; whoever starts the release hands it over',
  );

/** Signs the order and writes it to its file. */
async function write(draft: OrderDraft, what: string, options: SignedOptions): Promise<void> {
  const { bytes, order } = signOrder(draft, await readKey(options.key, options));
  await writeNewFile(options.out, bytes.toString('utf8'), 0o644);
  print(options, { order, file: options.out }, `Ordered ${what}: ${options.out}`);
}

function versionCommand(): Command {
  const command = signed(
    new Command('version')
      .description('order one further version of a window, under the newest applied series file')
      .argument('<release>', 'the version to make, SERIES/YYYY-MM-DD/vN'),
  );
  const example = 'opaline order version demo-taps/2026-03-02/v2 --key policy.pem --out v2.order.json';
  return define(command, example, async ([name], options: SignedOptions) => {
    const release = readRelease(name);
    const { digest } = await readApplied(await releaseStore(), release.series);
    await write({ kind: 'version', ...release, seriesDigest: digest, correction: null }, name!, options);
  });
}

type CorrectOptions = SignedOptions & { partition: string[]; reason: Correction['reason'] };

function correctCommand(): Command {
  const command = signed(
    new Command('correct')
      .description('order a correction: the next version of a release, that draws the named partitions anew')
      .argument('<release>', 'the release to correct')
      .requiredOption('--partition <part/day...>', 'partitions to draw anew')
      .addOption(
        new Option('--reason <code>', 'why, in public words').choices([...CORRECTION_REASONS]).makeOptionMandatory(),
      ),
  );
  const example =
    'opaline order correct demo-taps/2026-03-02/v1 --partition bus/2026-03-03 --reason object-late --key policy.pem --out v2.order.json';
  return define(command, example, async ([name], options: CorrectOptions) => {
    const partitions = readPartitions(options.partition);
    const plan = await withClient((client) => planCorrection(client, readRelease(name), partitions, options.reason));
    await write({ kind: 'version', ...plan.input }, `the correction of ${name}`, options);
  });
}

type WindowsOptions = SignedOptions & { from: string; to: string };

function windowsCommand(): Command {
  const command = signed(
    new Command('windows')
      .description('order first versions of all windows that begin between two days, however old they are')
      .argument('<series>', 'name of the series, or its file where it was never applied')
      .requiredOption('--from <YYYY-MM-DD>', 'first day')
      .requiredOption('--to <YYYY-MM-DD>', 'last day'),
  );
  const example =
    'opaline order windows demo-taps --from 2026-01-05 --to 2026-03-30 --key policy.pem --out windows.order.json';
  return define(command, example, async ([series], options: WindowsOptions) => {
    const { from, to } = options;
    if (from > to) throw new OpalineError('USAGE', '--from takes the earlier day and --to the later one.');
    const isFile = /\.ya?ml$/i.test(series!);
    const { series: named, digest } = isFile
      ? await loadSeriesFile(series!)
      : await appliedSeries(await releaseStore(), series!);
    const name = named.series;
    await write({ kind: 'windows', series: name, seriesDigest: digest, from, to }, `windows of ${name}`, options);
  });
}

type LedgerOptions = SignedOptions & { from: string };

function ledgerCommand(): Command {
  const command = signed(
    new Command('ledger')
      .description('order that an empty ledger begins with the charges that an older build shows of its own')
      .argument('<population>')
      .requiredOption('--from <file>', 'what `opaline ledger show --json` of that build has printed'),
  );
  const example = 'opaline order ledger city-riders --from ledger.json --key policy.pem --out ledger.order.json';
  return define(command, example, async ([population], options: LedgerOptions) => {
    const { bytes } = await readBoundedFile(options.from, MOST_BYTES);
    if (!bytes) throw new OpalineError('USAGE', `${options.from} cannot be read.`);
    const draft = takeoverOfShown(bytes.toString('utf8'), population!);
    await write(draft, `that the ledger of ${population} begins with ${draft.unexplained.length} charges`, options);
  });
}

function putCommand(): Command {
  const command = new Command('put')
    .description(
      'hand an order over: the private worker finds it in the release store, and a stalled release is retried',
    )
    .argument('<file>', 'the order');
  return define(command, 'opaline order put v2.order.json', async ([file], options) => {
    const order = await readOrderFile(file);
    await putOrder(await releaseStore(), order!);
    print(options, { order: order!.order }, 'The order is handed over. Retry the release that waits for it.');
  });
}
