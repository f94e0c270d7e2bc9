import { Command } from 'commander';
import { askBackfill, backfillStatus } from '../../client/schedule/backfills.ts';
import type { BackfillAction } from '../../contracts/backfill.ts';
import { withClient } from '../client.ts';
import { define } from '../command.ts';
import { backfillText } from '../schedule-text.ts';
import { print } from '../terminal.ts';

/** What each action does, for its help. */
const ACTIONS: Record<BackfillAction, string> = {
  pause: 'start no more releases until it is resumed; those at work go on',
  resume: 'go on with a paused back-fill',
  cancel: 'start no more releases; those that were started stay, and a new back-fill takes up the rest',
};

export function backfillCommand(): Command {
  const command = new Command('backfill')
    .description('look after a back-fill that `schedule backfill` has started')
    .addCommand(showCommand());
  for (const action of ['pause', 'resume', 'cancel'] as const) command.addCommand(actionCommand(action));
  return command;
}

function showCommand(): Command {
  const command = new Command('show').description('where the windows of a back-fill stand').argument('<id>');
  return define(command, 'opaline backfill show demo-taps/2026-01-05..2026-03-23', async ([id], options) => {
    const backfill = await withClient((client) => backfillStatus(client, id!));
    print(options, backfill, backfillText(backfill));
  });
}

function actionCommand(action: BackfillAction): Command {
  const command = new Command(action).description(ACTIONS[action]).argument('<id>');
  return define(command, `opaline backfill ${action} demo-taps/2026-01-05..2026-03-23`, async ([id], options) => {
    const state = await withClient((client) => askBackfill(client, id!, action));
    print(options, { id, state }, `The back-fill ${id} is ${state}.`);
  });
}
