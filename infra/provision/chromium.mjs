import { readFileSync } from 'node:fs';
import { progress, SetupError } from './progress.mjs';
import { findOnPath, isExecutable, runProgram } from './run-program.mjs';

/** Names of the program, the one of Debian first. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The package with its libraries is about 100 MB. */
const INSTALL_TIMEOUT = 600_000;

const OTHERWISE = 'Install Chromium or Google Chrome, or set OPALINE_CHROMIUM to the path of the program.';

/**
 * The path of a Chromium for the tests of pages: OPALINE_CHROMIUM, PATH, else Debian's package, which is installed where
 * this process is root on a Debian. Throws SetupError.
 */
export async function provideChromium() {
  const given = process.env.OPALINE_CHROMIUM;
  if (given) {
    if (isExecutable(given)) return given;
    throw new SetupError(`OPALINE_CHROMIUM names ${given}, which is not an executable file. Correct it, or unset it.`);
  }
  const found = onPath();
  if (found) return found;
  if (!mayInstall()) throw new SetupError(`The tests of pages need a browser, and none was found. ${OTHERWISE}`);
  await installWithApt();
  const installed = onPath();
  if (installed) return installed;
  throw new SetupError(`apt-get installed chromium, but no program of that name is on PATH. ${OTHERWISE}`);
}

const onPath = () => NAMES.map((name) => findOnPath(name)).find((path) => path !== null) ?? null;

/** Is this process root on Debian? Ubuntu's package of that name only points to a snap, which does not run everywhere. */
function mayInstall() {
  if (process.getuid?.() !== 0 || findOnPath('apt-get') === null) return false;
  try {
    return /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

async function installWithApt() {
  progress("installing Debian's chromium with apt-get (once; about a minute)");
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { environment, timeout: INSTALL_TIMEOUT };
  const update = await runProgram('apt-get', ['update', '-q'], options);
  if (update.code !== 0)
    throw new SetupError(`apt-get update failed, so that Chromium cannot be installed. ${OTHERWISE}`);
  const parameters = ['install', '-y', '-q', '--no-install-recommends', 'chromium'];
  const { code, output } = await runProgram('apt-get', parameters, options);
  if (code !== 0) throw new SetupError(`apt-get could not install chromium: ${output.slice(-400)}\n${OTHERWISE}`);
}
