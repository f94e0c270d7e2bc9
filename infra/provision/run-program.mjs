import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Runs a program to its end. `code` is its exit code, or null when it could not be started or ran out of time;
 * `output` is what it wrote on both channels; `echo` shows it as well. Never throws.
 */
export function runProgram(program, parameters, { environment = process.env, folder, timeout, echo = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const channel of [child.stdout, child.stderr])
      channel.on('data', (chunk) => {
        output += chunk;
        if (echo) process.stderr.write(chunk);
      });
    child.on('error', (error) => resolve({ code: null, output: error.message }));
    child.on('close', (code) => resolve({ code, output: output.trim() }));
  });
}

/** The end of a program's output, for an error message. */
export const lastOf = (output) => output.slice(-2000);

/** The first executable file of that name on PATH, or null. */
export function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
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
