import type { Command } from 'commander';
import { ownModule } from '../../services/own-module.ts';
import { command } from '../command.ts';

export const workerCommand = (): Command =>
  command('worker', 'run the worker of a side until it is stopped; its log is JSON lines on standard output')
    .argument('<side>', 'private reads the sources and draws; public audits and publishes', [
      'private',
      'public',
    ] as const)
    .argument('<file>', 'its deployment file; env:NAME: the variable NAME holds what would be in the file')
    .example('opaline worker private private.json')
    .run(async ({ side, file }) => {
      const stages = ownModule(`../../worker/${side}-stages`, import.meta.url);
      if (side === 'private') await (await import('../../worker/serve-private.ts')).servePrivate(stages, file);
      else await (await import('../../worker/serve-public.ts')).servePublic(stages, file);
    });
