import { PRIVATE_KEYS } from '../contracts/names.ts';
import type { Diagnose } from '../services/failure.ts';
import { jsonBytes } from '../services/stores/json-objects.ts';
import type { PrivateContext } from './private-context.ts';

/** Keeps error texts, which may quote data, in the private store; the rest of the world gets the id. */
export const keepDiagnostics =
  (context: PrivateContext): Diagnose =>
  async (activity, error) => {
    const id = context.newId();
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await context.privateStore.putIfAbsent(PRIVATE_KEYS.diagnostics(id), jsonBytes({ activity, text }));
    return id;
  };
