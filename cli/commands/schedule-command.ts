import type { Command } from 'commander';
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
import { EXIT } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { requireOrder } from '../../services/orders/orders.ts';
import { requireSignature } from '../../services/orders/series-signature.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { requireLeaveHere } from '../allowed-series.ts';
import { withClient } from '../client.ts';
import { ASK_BEFORE_CHARGE, command, group, ORDER, WINDOW, YES } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { overCapExit } from '../ledger-text.ts';
import { readOrderFile } from '../order-file.ts';
import { backfillPlanText, schedulePlanText, schedulesText, triggerPlanText } from '../schedule-text.ts';

export const scheduleCommand = (): Command =>
  group('schedule', 'release a series every week by itself, and look after that', [
    command('apply', 'apply series files and make their schedules what they say; shows what changes first')
      .argument('<files...>', 'the series files')
      .option('--dry-run', 'show what would change; nothing is changed')
      .option('--yes', 'do not ask before anything is changed')
      .example('opaline schedule apply examples/demo.yaml')
      .ask(async (client, { files }, options) => {
        const plans = await planSchedules(client, files);
        const text = plans.map(schedulePlanText).join('\n');
        const schedules = plans.map(({ series, isNew, changes }) => ({ series: series.series, isNew, changes }));
        const updates = plans.filter(({ changes }) => changes.length > 0);
        for (const { loaded } of updates) await requireSignature(client.releaseStore, loaded, client.signingKey);
        if (options.dryRun || updates.length === 0) return { value: { schedules, applied: false }, text };
        if (!(await confirm(text, options))) return;
        for (const plan of updates) await applySchedule(client, plan);
        return { value: { schedules, applied: true }, text: `${text}\nApplied.` };
      }),
    command('list', 'list the schedules: next and last start, and what is late or missing')
      .example('opaline schedule list')
      .ask(async (client) => {
        const schedules = await listSchedules(client);
        const isLate = schedules.some(({ lateSeconds }) => lateSeconds !== null);
        return { value: { schedules }, text: schedulesText(schedules), exit: isLate ? EXIT.waiting : undefined };
      }),
    command('pause', 'start nothing until the schedule is resumed')
      .argument(...NAME)
      .required('--reason <text>', 'why; `schedule list` shows it')
      .example('opaline schedule pause demo-taps --reason "the supplier moves house"')
      .ask(async (client, { series }, { reason }) => {
        await pauseSchedule(client, series, reason);
        return { value: { series, paused: true }, text: `${series} is paused.` };
      }),
    command('resume', 'go on with a paused schedule; what it missed is listed, and made by trigger or backfill')
      .argument(...NAME)
      .example('opaline schedule resume demo-taps')
      .ask(async (client, { series }) => {
        await resumeSchedule(client, series);
        const text = `${series} goes on. \`opaline schedule list\` names what it missed.`;
        return { value: { series, paused: false }, text };
      }),
    command('trigger', 'start the release of one window now, under the id that the schedule would use')
      .argument(...NAME)
      .required(...WINDOW)
      .option('--dry-run', 'show what would be started and charged; nothing is started')
      .option(...ASK_BEFORE_CHARGE)
      .example('opaline schedule trigger demo-taps --window 2026-03-02')
      .ask(async (client, { series }, options) => {
        const plan = await planTrigger(client, series, options.window);
        const text = triggerPlanText(plan);
        if (options.dryRun) return { value: plan, text, exit: overCapExit(plan.ledger.firstRefused) };
        if (!plan.isThere && !(await confirm(text, options))) return;
        const result = await triggerWindow(client, plan);
        const name = releasePath(result);
        const line = `${name} is ${result.started ? 'started' : 'there already'}; \`opaline show ${name}\` says where it is.`;
        return { value: result, text: line };
      }),
    command('backfill', 'release all windows between two days that have not run, n at once; what it costs comes first')
      .argument(...NAME)
      .required('--from <YYYY-MM-DD>', 'first day')
      .required('--to <YYYY-MM-DD>', 'last day; every window must end by then')
      .usual('--at-once <n>', 'releases at work at the same time; those that wait for people do not count', '4')
      .option(...ORDER)
      .option('--dry-run', 'show what would be released and charged; nothing is started')
      .option(...ASK_BEFORE_CHARGE)
      .example('opaline schedule backfill demo-taps --from 2026-01-01 --to 2026-03-31')
      .ask(async (client, { series }, options) => {
        const { from, to } = options;
        const atOnce = readWholeNumber('--at-once', options.atOnce, 100);
        const plan = await planBackfill(client, series, { from, to, atOnce });
        const text = backfillPlanText(plan);
        const order = await readOrderFile(options.order);
        const exit = options.dryRun && overCapExit(plan.ledger.firstRefused);
        if (exit === undefined && order) await requireOrder(client, orderOf(plan.backfill), order);
        else if (exit === undefined && client.signingKey === null) await requireLeaveOf(client, plan);
        if (options.dryRun) return { value: plan, text, exit };
        if (!(await confirm(text, options))) return;
        const id = await startBackfill(client, plan, order);
        return { value: { id }, text: `${text}\nStarted. Look at it: opaline backfill show ${id}` };
      }),
    command('remove', 'remove a schedule; the series, its releases and its ledger stay')
      .argument(...NAME)
      .option(...YES)
      .example('opaline schedule remove demo-taps')
      .run(async ({ series }, options) => {
        if (!(await confirm(`${series} would be released no more by itself.`, options))) return;
        await withClient((client) => removeSchedule(client, series));
        return { value: { series, removed: true }, text: `The schedule of ${series} is removed.` };
      }),
  ]);

const NAME = ['<series>', 'name of the series'] as const;

/** Refuses windows that the custodian side would not charge without another order. Throws ORDER_MISSING. */
async function requireLeaveOf({ releaseStore }: OpalineClient, { backfill }: BackfillPlan): Promise<void> {
  const { series, seriesDigest, windows } = backfill;
  const seriesFile = { series: await readSeries(releaseStore, { series, seriesDigest }), digest: seriesDigest };
  const todo = windows.filter(({ state }) => state === 'to-do').map(({ window }) => window);
  const [from, to] = [windows[0]!.window, windows.at(-1)!.window];
  await requireLeaveHere(seriesFile, todo, { series, from, to });
}
