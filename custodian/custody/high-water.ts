import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { OpalineError } from '../../contracts/errors.ts';
import { type LedgerTip, ledgerTip } from '../../contracts/formats/common.ts';
import { hasCode } from '../../services/system-error.ts';

/**
 * The furthest place that this worker has seen in each ledger (C12). It is outside of the stores, so that stores which
 * are both set back are noticed.
 */
export type HighWater = ReturnType<typeof highWaterFile>;

const stateSchema = z.strictObject({
  format: z.literal('opaline-state/1'),
  ledgers: z.record(z.string(), ledgerTip),
});

type State = z.output<typeof stateSchema>;

/**
 * Marks in a file of the private deployment, written whole and by rename. Of two processes that write at once one mark
 * may stay behind until the next entry, never go back behind what its process had read. Throws CONFIGURATION_INVALID
 * when the file is not one that was written here.
 */
export function highWaterFile(path: string) {
  const read = async (): Promise<State> => {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw new OpalineError('CONFIGURATION_INVALID', 'The state file of the private deployment cannot be read.');
    });
    if (text === null) return { format: 'opaline-state/1', ledgers: {} };
    try {
      return stateSchema.parse(JSON.parse(text));
    } catch {
      throw new OpalineError(
        'CONFIGURATION_INVALID',
        'The state file of the private deployment is damaged; put it back from a backup, or take it away and say why.',
      );
    }
  };
  return {
    read: async (population: string) => (await read()).ledgers[population] ?? null,
    /** Moves the mark of a ledger forward. */
    raise: async (population: string, tip: LedgerTip) => {
      const state = await read();
      if ((state.ledgers[population]?.digest ?? null) === tip.digest) return;
      await replaceFile(path, { ...state, ledgers: { ...state.ledgers, [population]: tip } });
    },
  };
}

async function replaceFile(path: string, state: State): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${randomUUID()}`;
  const text = `${JSON.stringify(state, null, 2)}\n`;
  await writeFile(part, text, { mode: 0o600, flag: 'wx', flush: true });
  await rename(part, path);
}
