/** Ctrl-C (or a polite kill), as something to wait for. */
export type Interruption = {
  /** Resolves when it happens. */
  wait(): Promise<void>;
  /** Waits for the work, or for the interruption, whichever comes first. */
  during(work: Promise<void>): Promise<void>;
  happened(): boolean;
};

export function interruption(): Interruption {
  let happened = false;
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        happened = true;
        resolve();
      });
    }
  });
  return { wait: () => signal, during: (work) => Promise.race([work, signal]), happened: () => happened };
}
