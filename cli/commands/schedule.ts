import { Command } from 'commander';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { type BackfillPlan, orderOf, planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { listSchedules } from '../../client/schedule/schedule-lines.ts';
import {
  applySchedule,
  pauseSchedule,
  planSchedules,
  removeSchedule,
  resumeSchedule,
} from '../../client/schedule/schedules.ts';
import { planTrigger, triggerWindow } from '../../client/schedule/trigger-window.ts';
import { ERRORS, EXIT } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { requireOrder } from '../../services/orders/orders.ts';
import { requireSignature } from '../../services/orders/series-signature.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { requireLeaveHere } from '../allowed-series.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { readOrderFile } from '../order-file.ts';
import { backfillPlanText, schedulePlanText, schedulesText, triggerPlanText } from '../schedule-text.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function scheduleCommand(): Command {
  return new Command('schedule')
    .description('release a series every week by itself, and look after that')
    .addCommand(applyCommand())
    .addCommand(listCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(triggerCommand())
    .addCommand(backfillCommand())
    .addCommand(removeCommand());
}

function applyCommand(): Command {
  const command = new Command('apply')
    .description('apply series files and make their schedules what they say; shows what changes first')
    .argument('<series...>', 'the series files')
    .option('--dry-run', 'show what would change; nothing is changed')
    .option('--yes', 'do not ask before anything is changed');
  const example = 'opaline schedule apply examples/demo.yaml';
  return define(command, example, async (files, options: OutputOptions & { dryRun?: boolean; yes?: boolean }) => {
    await withClient(async (client) => {
      const plans = await planSchedules(client, files);
      const text = plans.map(schedulePlanText).join('\n');
      const schedules = plans.map(({ series, isNew, changes }) => ({ series: series.series, isNew, changes }));
      const changing = plans.filter(({ changes }) => changes.length > 0);
      for (const { loaded } of changing) await requireSignature(client.releaseStore, loaded, client.signingKey);
      if (options.dryRun || changing.length === 0) return print(options, { schedules, applied: false }, text);
      if (!(await confirmed(text, options))) return;
      for (const plan of changing) await applySchedule(client, plan);
      print(options, { schedules, applied: true }, `${text}\nApplied.`);
    });
  });
}

function listCommand(): Command {
  const command = new Command('list').description(
    'list the schedules: next and last start, and what is late or missing',
  );
  return define(command, 'opaline schedule list', async (_, options) => {
    const schedules = await withClient((client) => listSchedules(client));
    if (schedules.some(({ lateSeconds }) => lateSeconds !== null)) process.exitCode = EXIT.waiting;
    print(options, { schedules }, schedulesText(schedules));
  });
}

function pauseCommand(): Command {
  const command = new Command('pause')
    .description('start nothing until the schedule is resumed')
    .argument('<series>', 'name of the series')
    .requiredOption('--reason <text>', 'why; `schedule list` shows it');
  const example = 'opaline schedule pause demo-taps --reason "the supplier moves house"';
  return define(command, example, async ([series], options: OutputOptions & { reason: string }) => {
    await withClient((client) => pauseSchedule(client, series!, options.reason));
    print(options, { series, paused: true }, `${series} is paused.`);
  });
}

function resumeCommand(): Command {
  const command = new Command('resume')
    .description('go on with a paused schedule; what it missed is listed, and made by trigger or backfill')
    .argument('<series>', 'name of the series');
  return define(command, 'opaline schedule resume demo-taps', async ([series], options) => {
    await withClient((client) => resumeSchedule(client, series!));
    print(options, { series, paused: false }, `${series} goes on. \`opaline schedule list\` names what it missed.`);
  });
}

type TriggerOptions = OutputOptions & { window: string; dryRun?: boolean; yes?: boolean };

function triggerCommand(): Command {
  const command = new Command('trigger')
    .description('start the release of one window now, under the id that the schedule would use')
    .argument('<series>', 'name of the series')
    .requiredOption('--window <YYYY-MM-DD>', 'first day of the window')
    .option('--dry-run', 'show what would be started and charged; nothing is started')
    .option('--yes', 'do not ask before the budget is charged');
  const example = 'opaline schedule trigger demo-taps --window 2026-03-02';
  return define(command, example, async ([series], options: TriggerOptions) => {
    await withClient(async (client) => {
      const plan = await planTrigger(client, series!, options.window);
      const text = triggerPlanText(plan);
      if (options.dryRun && plan.ledger.firstRefused) process.exitCode = ERRORS.BUDGET_EXCEEDED.exit;
      if (options.dryRun) return print(options, plan, text);
      if (!plan.isThere && !(await confirmed(text, options))) return;
      const result = await triggerWindow(client, plan);
      const name = releasePath(result);
      const done = `${name} is ${result.started ? 'started' : 'there already'}; \`opaline show ${name}\` says where it stands.`;
      print(options, result, done);
    });
  });
}

type BackfillOptions = OutputOptions & {
  from: string;
  to: string;
  atOnce: string;
  order?: string;
  dryRun?: boolean;
  yes?: boolean;
};

function backfillCommand(): Command {
  const command = new Command('backfill')
    .description('release all windows between two days that have not run, so many at once; what it costs comes first')
    .argument('<series>', 'name of the series')
    .requiredOption('--from <YYYY-MM-DD>', 'first day')
    .requiredOption('--to <YYYY-MM-DD>', 'last day; every window must end by then')
    .option('--at-once <n>', 'releases at work at the same time; those that wait for people do not count', '4')
    .option('--order <file>', 'order of a key of the policy, where one is needed')
    .option('--dry-run', 'show what would be released and charged; nothing is started')
    .option('--yes', 'do not ask before the budget is charged');
  const example = 'opaline schedule backfill demo-taps --from 2026-01-01 --to 2026-03-31';
  return define(command, example, async ([series], options: BackfillOptions) => {
    const { from, to } = options;
    const atOnce = readWholeNumber('--at-once', options.atOnce, 100);
    await withClient(async (client) => {
      const plan = await planBackfill(client, series!, { from, to, atOnce });
      const text = backfillPlanText(plan);
      const order = await readOrderFile(options.order);
      if (options.dryRun && plan.ledger.firstRefused) process.exitCode = ERRORS.BUDGET_EXCEEDED.exit;
      else if (order) await requireOrder(client, orderOf(plan.backfill), order);
      else if (client.signingKey === null) await requireLeaveOf(client, plan);
      if (options.dryRun) return print(options, plan, text);
      if (!(await confirmed(text, options))) return;
      const id = await startBackfill(client, plan, order);
      print(options, { id }, `${text}\nStarted. Look at it: opaline backfill show ${id}`);
    });
  });
}

/** Refuses windows that the custodian side would not charge without another order. Throws ORDER_MISSING. */
async function requireLeaveOf({ releaseStore }: OpalineClient, { backfill }: BackfillPlan): Promise<void> {
  const { series, seriesDigest, windows } = backfill;
  const loaded = { series: await readSeries(releaseStore, { series, seriesDigest }), digest: seriesDigest };
  const todo = windows.filter(({ state }) => state === 'to-do').map(({ window }) => window);
  const [from, to] = [windows[0]!.window, windows.at(-1)!.window];
  await requireLeaveHere(loaded, todo, { series, from, to });
}

function removeCommand(): Command {
  const command = new Command('remove')
    .description('remove a schedule; the series, its releases and its ledger stay')
    .argument('<series>', 'name of the series')
    .option('--yes', 'do not ask');
  const example = 'opaline schedule remove demo-taps';
  return define(command, example, async ([series], options: OutputOptions & { yes?: boolean }) => {
    if (!(await confirmed(`${series} would be released no more by itself.`, options))) return;
    await withClient((client) => removeSchedule(client, series!));
    print(options, { series, removed: true }, `The schedule of ${series} is removed.`);
  });
}
