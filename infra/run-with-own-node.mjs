import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './provision/progress.mjs';
import { isExecutable } from './provision/run-program.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest Node that runs the sources: `engines` of package.json. */
const OLDEST = 24;

/**
 * Prepares, then runs a script with the Node of the project, and ends as it ends. Ctrl-C goes to the whole group: this
 * process waits for the script to stop what it started. `environment`: variables that are not set otherwise.
 */
export async function runWithOwnNode(prepare, environment = {}) {
  try {
    const script = await prepare();
    const child = spawn(ownNode(ROOT), script, {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...environment, ...process.env },
    });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', fail);
    child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
  } catch (error) {
    fail(error);
  }
}

function fail({ message }) {
  console.error(`SETUP_FAILED: ${message}`);
  process.exit(1);
}

/**
 * The Node that package-lock.json fixes for this system. The registry does not have that version for every system:
 * elsewhere it is the Node that runs this, where it is new enough. Throws SetupError.
 */
export function ownNode(root, version = process.versions.node) {
  const own = join(root, 'node_modules', '.bin', 'node');
  if (isExecutable(own)) return own;
  if (Number.parseInt(version, 10) >= OLDEST) return process.execPath;
  throw new SetupError(
    `Opaline brings no Node of its own for ${process.platform} on ${process.arch}, and this one is ${version}. ` +
      `Install Node ${OLDEST} or later, and start again.`,
  );
}
