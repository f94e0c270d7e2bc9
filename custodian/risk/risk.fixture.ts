import { join } from 'node:path';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { privateContextBelow } from '../../test/support/folder-contexts.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import type { PrivateContext } from '../private-context.ts';

/** A custodian side in a folder of its own, with one source store. */
export async function openCustodianSide(): Promise<{
  context: PrivateContext;
  folder: string;
}> {
  const folder = newFolder();
  const store = (name: string): FolderStore => new FolderStore(join(folder, name));
  const context: PrivateContext = {
    ...privateContextBelow(folder),
    sourceStore: () => store('source'),
    memoryMiB: 256,
    kinds: {},
    newId: () => 'one',
  };
  return { context, folder };
}

/** Trips of a few cards; the last card is like no other. */
export const TRIPS = [
  'card,mode,on_time,on_stop',
  ...Array.from({ length: 24 }, (_, trip) => {
    const minute = String((trip * 7) % 60).padStart(2, '0');
    return `card-${trip % 6},${trip % 2 === 0 ? 'bus' : 'ferry'},2026-03-0${2 + (trip % 3)} 08:${minute},stop-${trip % 4}`;
  }),
  'CARD-CANARY,bus,2026-03-04 03:07,LONELY-STOP-CANARY',
].join('\n');
