import type { Command } from 'commander';
import { resumeAll, resumeRelease } from '../../client/lost-work.ts';
import { wrongUse } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { command, readRelease } from '../command.ts';

export const resumeCommand = (): Command =>
  command('resume [release]', 'go on with what Temporal has lost, from the stores; it draws and charges nothing again')
    .option('--all', 'every charged release that Temporal does not know, and missing schedules and back-fills')
    .example('opaline resume --all')
    .ask(async (client, { release }, options) => {
      if ((release === undefined) !== (options.all ?? false))
        throw wrongUse('Name a release, or --all: `opaline doctor` says what Temporal has lost.');
      if (release !== undefined) {
        const one = readRelease(release);
        await resumeRelease(client, one);
        const name = releasePath(one);
        return { value: { releases: [name] }, text: `${name} goes on; \`opaline show ${name}\` says where it stands.` };
      }
      const { releases, schedules, backfills } = await resumeAll(client);
      const value = {
        releases: releases.map((one) => releasePath(one.release)),
        schedules,
        backfills: backfills.map(({ id }) => id),
      };
      const text = lines(
        value.releases.map((name) => `${name} goes on.`),
        schedules.map((name) => `The schedule of ${name} is back.`),
        value.backfills.map((id) => `The back-fill ${id} is back.`),
        [...value.releases, ...schedules, ...backfills].length === 0 && 'Temporal has lost nothing.',
      );
      return { value, text };
    });
