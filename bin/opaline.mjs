#!/usr/bin/env node
// Starts the compiled command line with the Node that the package brings, by any Node from 20 on. It prints nothing.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs the command line. */
const OLDEST = 24;
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const node = lockedNode() ?? newEnough();
if (node === null) {
  console.error(
    `SETUP_FAILED: Opaline brings no Node of its own for ${process.platform} on ${process.arch}, and this one is ${process.versions.node}; install Node ${OLDEST} or later.`,
  );
  process.exit(1);
}
const child = spawn(node, [MAIN, ...process.argv.slice(2)], { stdio: 'inherit' });
// Ctrl-C goes to the whole group: this process waits for the command to stop what it started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('error', (error) => {
  console.error(`SETUP_FAILED: the command line could not be started (${error.code}).`);
  process.exit(1);
});
child.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));

/** The Node of the optional package for this system; null where there is none, or it cannot be run. */
function lockedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    const program = join(dirname(manifest), 'bin', 'node');
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    return null;
  }
}

function newEnough() {
  return Number.parseInt(process.versions.node, 10) >= OLDEST ? process.execPath : null;
}
