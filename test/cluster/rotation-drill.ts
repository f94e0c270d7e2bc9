import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { POLICY_POWERS } from '../../contracts/formats/policy.ts';
import { generateSigningKey, publicKeyOf } from '../../services/signing/keys.ts';
import { rootKey } from '../support/trust-files.ts';
import type { Cluster } from './cluster.ts';
import type { DrillBench, Followed } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { SIDES, writeSecret } from './host.ts';
import { HOSTS } from './network.ts';
import { give } from './people.ts';

/** Changes keys. `bring` gives each host what is new, one after the other; a release begins after each. */
type Rotation = (bench: DrillBench, bring: () => Promise<void>) => Promise<void>;

/** Keys and secrets rotate by the commands of docs/runbooks.md while releases run. */
export const rotateKeys: Drill = async (bench) => {
  for (const [what, rotate] of Object.entries(ROTATIONS)) {
    const followed: Promise<Followed>[] = [];
    const oneMore = async () => void followed.push(bench.follow(await bench.start()));
    const bring = async () => {
      for (const name of HOSTS) {
        await bench.cluster.hosts[name].receive(bench.cluster.custody);
        await oneMore();
      }
    };
    for (let count = 0; count < 2; count++) await oneMore();
    await rotate(bench, bring);
    for (let count = 0; count < 2; count++) await oneMore();
    const since = performance.now();
    await bench.row('rotation under load', what, await Promise.all(followed), since);
  }
};

const ofWorker =
  (role: 'ledger' | 'publisher'): Rotation =>
  async ({ cluster }, bring) => {
    const key = generateSigningKey();
    await retire(cluster, cluster.custody[`${role}Key`].publicKey, key.publicKey);
    cluster.custody[`${role}Key`] = key;
    await bring();
  };

/** What was decided before counts, and the new key decides from then on. */
const ofApprover: Rotation = async ({ cluster, series }, bring) => {
  const key = generateSigningKey();
  await retire(cluster, publicKeyOf(series.key.privateKey), key.publicKey);
  series.key = key;
  await bring();
};

/** The new key joins the old one and signs the series file in use, and the old one is revoked. */
const ofPolicy: Rotation = async ({ cluster, series }, bring) => {
  const { custody } = cluster;
  const key = generateSigningKey();
  const file = join(cluster.folder, 'client', 'policy-new.pem');
  await writeSecret(file, key.privateKey);
  const next = (keys: typeof custody.policy.keys) => {
    custody.policy = { ...custody.policy, number: custody.policy.number + 1, keys };
  };
  const added = { name: 'another', key: key.publicKey, may: [...POLICY_POWERS], revoked: false };
  next([...custody.policy.keys, added]);
  await bring();
  await give(cluster, ['series', 'sign', series.file, '--key', file]);
  next(custody.policy.keys.map((one) => ({ ...one, revoked: one.key !== key.publicKey })));
  await bring();
  // The drills that come next sign with the old one again.
  next(custody.policy.keys.map((one) => ({ ...one, revoked: false })));
  await bring();
};

/** A second key of each side with the same rights goes into the files of each host; then the first opens nothing. */
const ofS3: Rotation = async ({ cluster: { stores } }, bring) => {
  for (const side of SIDES) await stores.makeKey(side);
  await bring();
  for (const side of SIDES) await stores.removeKey(side);
};

const ROTATIONS: Record<string, Rotation> = {
  'the ledger key': ofWorker('ledger'),
  'the publisher key': ofWorker('publisher'),
  'the key of an approver': ofApprover,
  'a key of the policy': ofPolicy,
  'the S3 keys of both sides': ofS3,
};

/** A version of the trust file in which one key has another as its successor. */
async function retire(cluster: Cluster, oldKey: string, newKey: string): Promise<void> {
  const at = (name: string) => join(cluster.folder, 'client', name);
  await writeSecret(at('root.pem'), rootKey.privateKey);
  await writeFile(at('old.pub'), oldKey);
  await writeFile(at('new.pub'), newKey);
  const draft = at(`next-${Date.now()}.json`);
  await give(cluster, ['trust', 'retire', at('trust.json'), at('old.pub'), draft, '--successor', at('new.pub')]);
  await give(cluster, ['trust', 'sign', at('trust.json'), draft, '--key', at('root.pem'), '--yes']);
  cluster.custody.trustFile = await readFile(at('trust.json'));
}
