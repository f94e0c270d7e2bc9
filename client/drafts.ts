import { jsonOrNull, readBytesIfPresent } from '../activities/stores/json-objects.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { trustReader } from '../activities/trust/trust-file.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { DRAFT_ENDING } from '../contracts/formats/common.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { Diagnosis } from './diagnosis.ts';
import { tamperFindings } from './tampering/tampering.ts';

/** What a release store holds of drafts: how many objects are named so, by name, and what is not as it has to be. */
export type Drafts = { objects: Record<string, number>; findings: Diagnosis[] };

/**
 * Looks for drafts of generation 2 in the release store, and changes nothing: what is signed or chained stays as it is,
 * and is read as generation 2. A draft of an older form is among the findings: this build does not read it. Cost: every
 * object of every release is read twice. Throws TRUST_INVALID, STORE_UNAVAILABLE.
 */
export async function draftsOf({ releaseStore, trust }: ClientDeployment): Promise<Drafts> {
  const store = openStore(releaseStore);
  const found = new Map<string, number>();
  for await (const { key } of store.list('')) {
    const name = key.endsWith('.json') ? await draftName(store, key) : null;
    if (name !== null) found.set(name, (found.get(name) ?? 0) + 1);
  }
  const chain = await trustReader(trust, true)();
  return {
    objects: Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))),
    findings: await tamperFindings(store, chain, { thorough: true }),
  };
}

/** The name of the draft that an object is, or holds under a signature; null for anything else. */
async function draftName(store: ObjectStore, key: string): Promise<string | null> {
  // What workers try their store with is gone a moment later.
  const value = jsonOrNull(`${await readBytesIfPresent(store, key)}`);
  const payload = memberOf(value, 'payload');
  const document = payload === null ? value : jsonOrNull(Buffer.from(payload, 'base64').toString('utf8'));
  const name = memberOf(document, 'format');
  return name?.endsWith(DRAFT_ENDING) ? name : null;
}

function memberOf(value: unknown, name: string): string | null {
  const member = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
  return typeof member === 'string' ? member : null;
}
