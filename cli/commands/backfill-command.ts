import type { Command } from 'commander';
import { askBackfill, backfillStatus } from '../../client/schedule/backfills.ts';
import { command } from '../command.ts';
import { backfillText } from '../schedule-text.ts';

export const backfillCommand = (): Command =>
  command('backfill', 'look after a back-fill that `schedule backfill` has started')
    .argument('<action>', 'show its windows; pause and resume its starts; cancel: leave the rest to a new back-fill', [
      'show',
      'pause',
      'resume',
      'cancel',
    ] as const)
    .argument('<id>', 'the back-fill, as `schedule backfill` has named it')
    .example('opaline backfill show demo-taps/2026-01-05..2026-03-23')
    .ask(async (client, { action, id }) => {
      if (action === 'show') {
        const backfill = await backfillStatus(client, id);
        return { value: backfill, text: backfillText(backfill) };
      }
      const state = await askBackfill(client, id, action);
      return { value: { id, state }, text: `The back-fill ${id} is ${state}.` };
    });
