import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How many of the last characters of a program's output are kept unless told: enough for an error message. */
const KEPT_OUTPUT = 2000;

/**
 * Runs a program to its end. `code` is its exit code, or null when it could not be started or ran out of time;
 * `output` is the end of what it wrote on both channels, at most `kept` characters. Never throws.
 */
export function runProgram(
  program,
  parameters,
  { environment = process.env, folder, timeout, echo = false, kept = KEPT_OUTPUT } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-kept);
      if (echo) process.stderr.write(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** The first executable file of that name on PATH, or null. */
export function findOnPath(name, environment = process.env) {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isExecutable(path)) return path;
  }
  return null;
}

/** Is there an executable file at the path? */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
