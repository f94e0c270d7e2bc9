export type Interruption = ReturnType<typeof interruption>;

/** Ctrl-C (or a polite kill), as something to wait for. */
export function interruption() {
  let hasHappened = false;
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        hasHappened = true;
        resolve();
      });
    }
  });
  return {
    /** Resolves when it happens. */
    wait: () => signal,
    /** Waits for the work, or for the interruption, whichever comes first. */
    during: (work: Promise<void>) => Promise.race([work, signal]),
    happened: () => hasHappened,
  };
}
