import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { offeredKey, placeOf } from '../../client/release/release-briefing.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { define, readRelease } from '../command.ts';
import { releaseStore } from '../deployment.ts';
import { opened } from '../open-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** What of a release can be opened. */
const OPENED = { audit: FILES.auditPage, 'second-audit': FILES.secondAuditPage, statement: FILES.statement } as const;

type Options = OutputOptions & { page: keyof typeof OPENED };

export function openCommand(): Command {
  const command = new Command('open')
    .description(
      'open the audit of a release, or its statement, in the browser; without a screen it prints where it is',
    )
    .argument('<release>')
    .addOption(new Option('--page <name>', 'what to open').choices(Object.keys(OPENED)).default('audit'));
  define(command, 'opaline open demo-taps/2026-03-02/v1', async ([name], options: Options) => {
    const path = await pageFile(await releaseStore(), readRelease(name), OPENED[options.page]);
    const isOpened = !options.json && (await opened(path));
    print(options, { path, opened: isOpened }, isOpened ? `Opened ${path}` : path);
  });
  return command;
}

/** The page as a file of this machine; one of a bucket is copied. Throws OBJECT_MISSING. */
async function pageFile(store: ObjectStore, release: ReleaseReference, file: string): Promise<string> {
  const key = await offeredKey(store, release, file);
  if (!key)
    throw new OpalineError(
      'OBJECT_MISSING',
      `${releasePath(release)} has no ${file}: its audit was not run yet, or there is no such release.`,
    );
  if (store.location.startsWith('folder:')) return resolve(placeOf(store, key));
  const path = join(await mkdtemp(join(tmpdir(), 'opaline-page-')), file);
  await writeFile(path, await readBytes(store, key));
  return path;
}
