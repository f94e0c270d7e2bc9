import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE = join(ROOT, 'node_modules', '.bin', 'node');

/**
 * Prepares, then runs a script with the Node of the project, and ends as it ends. Ctrl-C goes to the whole group: this
 * process waits for the script to stop what it started. `environment`: variables that are not set otherwise.
 */
export async function runWithOwnNode(prepare, environment = {}) {
  let script;
  try {
    script = await prepare();
  } catch (error) {
    console.error(`SETUP_FAILED: ${error.message}`);
    process.exit(1);
  }
  const child = spawn(NODE, script, { cwd: ROOT, stdio: 'inherit', env: { ...environment, ...process.env } });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    console.error(`SETUP_FAILED: ${error.message}`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
