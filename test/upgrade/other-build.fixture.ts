import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import type { deploymentVersions } from '../../services/temporal/current-version.ts';
import { type ChildProcess, startProcess } from '../../stack/child-process.ts';
import { WORKER_ROOMS } from '../../worker/source-digest.ts';
import { until } from '../observe/scrape.fixture.ts';
import type { TestStack } from '../support/test-stack.ts';

const command = promisify(execFile);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = [...WORKER_ROOMS, 'package.json', 'package-lock.json'];

/** Copies the sources of the workers below a folder, with the same dependencies: equal sources in another place. */
export async function copyTree(below: string): Promise<string> {
  const tree = await mkdtemp(join(below, 'tree-'));
  for (const part of PARTS) await cp(join(ROOT, part), join(tree, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** The last commit on main, or of this checkout where there is no main; null without a history of git. */
export async function lastCommit(): Promise<string | null> {
  for (const name of ['main', 'origin/main', 'HEAD']) {
    const found = await command('git', ['-C', ROOT, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`]).catch(
      () => null,
    );
    if (found) return found.stdout.trim();
  }
  return null;
}

/** Unpacks the workers of a commit below a folder. */
export async function earlierTree(commit: string, below: string): Promise<string> {
  const tree = await mkdtemp(join(below, 'tree-'));
  const archive = join(tree, 'archive.tar');
  await command('git', ['-C', ROOT, 'archive', `--output=${archive}`, commit]);
  await command('tar', ['-x', '-f', archive, '-C', tree]);
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** Changes workflow code as a next version does; throws when the text is not there. */
export async function change(tree: string, file: string, before: string, after: string): Promise<void> {
  const text = await readFile(join(tree, file), 'utf8');
  if (!text.includes(before)) throw new Error(`${file} does not hold: ${before}`);
  await writeFile(join(tree, file), text.replace(before, after));
}

/** Makes a namespace, and a deployment file of a side of the stack that is in it; gives its path. */
export async function deploymentIn({ files }: Pick<TestStack, 'files'>, side: 'private' | 'public', namespace: string) {
  const file = JSON.parse(await readFile(files.deployment(side), 'utf8'));
  const temporal = { ...file.temporal, namespace };
  await setUpTemporal(temporal, { checkOnly: false });
  const path = `${files.deployment(side)}.${namespace}.json`;
  await writeFile(path, JSON.stringify({ ...file, temporal }), { mode: 0o600 });
  return path;
}

/** Starts a worker of a tree and waits until it says that it is ready. */
export async function startTreeWorker(
  tree: string,
  deployment: string,
  logFile: string,
  side: 'private' | 'public' = 'public',
): Promise<ChildProcess> {
  const worker = await startProcess(process.execPath, [join(tree, 'worker', `${side}.ts`), deployment], logFile);
  if (!(await worker.ready())) throw new Error(await readFile(logFile, 'utf8'));
  return worker;
}

/** The build that the server knows beside others: it does a moment after the first poll of its worker. */
export async function buildBeside(
  versions: () => ReturnType<typeof deploymentVersions>,
  others: readonly (string | null)[],
): Promise<string> {
  const isNew = (build: string): boolean => !others.includes(build);
  const { builds } = await until(versions, (now) => now.builds.some(isNew), 60);
  return builds.find(isNew)!;
}
