/** Writes one progress line for people. Standard error, so that the output of a command stays its own. */
export function progress(line) {
  process.stderr.write(`setup: ${line}\n`);
}

/** A mistake of the machine or its user during the set-up: the message says what could not be had, and what to do. */
export class SetupError extends Error {
  constructor(message) {
    super(message);
    this.name = 'SetupError';
    this.code = 'SETUP_FAILED';
  }
}
