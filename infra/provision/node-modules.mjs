import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, runProgram } from './run-program.mjs';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs `npm ci` in the project folder when node_modules is missing, incomplete or of another package-lock.json.
 * True when it installed something. Throws SetupError.
 */
export async function provideNodeModules(root = PROJECT) {
  if (await isInstalled(root)) return false;
  return withLock(
    join(root, '.opaline', 'npm-ci.lock'),
    () => progress('another process is installing the npm packages; waiting for it'),
    async () => {
      if (await isInstalled(root)) return false;
      await npmCi(root);
      return true;
    },
  );
}

async function npmCi(root) {
  const npm = findOnPath('npm');
  if (npm === null)
    throw new SetupError('The npm packages could not be installed: npm is not on the PATH. Install it.');
  progress('installing the npm packages with npm ci (once; about a minute)');
  const { code } = await runProgram(npm, ['ci', '--no-audit', '--no-fund'], { folder: root, echo: true });
  if (code !== 0 || !(await isInstalled(root)))
    throw new SetupError(
      'The npm packages could not be installed: "npm ci" failed. Check that npm can reach its registry, then start again; ' +
        `npm's own words are above.`,
    );
  progress('the npm packages are installed');
}

/**
 * npm ends an installation by writing node_modules/.package-lock.json, its record of what is there. The installation
 * is ours when it holds every package of package-lock.json at the same version and digest. Optional packages may be
 * missing, except those that hold a binary for this system: npm passes over one that it could not download.
 */
async function isInstalled(root) {
  const packages = await packagesOf(join(root, 'package-lock.json'));
  if (packages === null) throw new SetupError('package-lock.json is missing or not JSON. Clone the project again.');
  const present = await packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (present === null) return false;
  return Object.entries(packages).every(([path, entry]) => {
    if (path === '') return true;
    const copy = present[path];
    if (copy === undefined) return entry.optional === true && !isForThisSystem(entry);
    return copy.version === entry.version && copy.integrity === entry.integrity;
  });
}

/** A package that names a C library as well is left to its user, who fails loudly without it. */
const isForThisSystem = ({ os, cpu, libc }) =>
  [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch) && libc === undefined;

/** Null where the file is missing, or is not JSON. */
const packagesOf = (file) =>
  readFile(file, 'utf8')
    .then((text) => JSON.parse(text).packages)
    .catch(() => null);
