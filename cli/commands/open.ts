import { spawn } from 'node:child_process';
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
    const isOpened = !options.json && hasScreen() && (await opens(path));
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

/** Is somebody there, at a machine that shows pages? */
const hasScreen = (): boolean =>
  process.stdout.isTTY === true &&
  (process.platform === 'darwin' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY));

/** False when this machine has nothing that opens a file. */
const opens = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [path], {
      stdio: 'ignore',
      detached: true,
    });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
