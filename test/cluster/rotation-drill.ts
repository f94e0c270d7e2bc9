import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../cli/process.fixture.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { rootKey } from '../support/trust-files.ts';
import type { DrillBench, Followed } from './drill-bench.ts';
import type { Drill } from './drills.ts';
import { writeSecret } from './host.ts';
import { HOSTS } from './network.ts';

const ROLES = ['ledger', 'publisher'] as const;

/** Keys of both sides rotate by the commands of docs/runbooks.md, one host after the other, while releases run. */
export const rotateKeys: Drill = async (bench) => {
  for (const role of ROLES) {
    const followed: Promise<Followed>[] = [];
    const oneMore = async () => void followed.push(bench.follow(await bench.start()));
    for (let count = 0; count < 2; count++) await oneMore();
    await rotate(bench, role, oneMore);
    for (let count = 0; count < 2; count++) await oneMore();
    const since = performance.now();
    await bench.row('rotation under load', `the ${role} key`, await Promise.all(followed), since);
  }
};

/** `meanwhile` is called whenever one host has the new files and another has not. */
async function rotate(
  { cluster }: DrillBench,
  role: (typeof ROLES)[number],
  meanwhile: () => Promise<void>,
): Promise<void> {
  const at = (name: string) => join(cluster.folder, 'client', name);
  const [draft, oldKey, newKey, root] = [`${role}-next.json`, `${role}-old.pub`, `${role}-new.pub`, 'root.pem'].map(at);
  const key = generateSigningKey();
  await writeSecret(root!, rootKey.privateKey);
  await writeFile(newKey!, key.publicKey);
  await writeFile(oldKey!, cluster.custody[`${role}Key`].publicKey);
  for (const words of [
    ['retire', at('trust.json'), oldKey!, draft!, '--successor', newKey!],
    ['sign', at('trust.json'), draft!, '--key', root!, '--yes'],
  ]) {
    const { code, stderr } = await run(['trust', ...words], { deployment: cluster.deploymentFile });
    if (code !== 0) throw new Error(stderr);
  }
  cluster.custody.trustFile = await readFile(at('trust.json'));
  cluster.custody[`${role}Key`] = key;
  for (const name of HOSTS) {
    await cluster.hosts[name].receive(cluster.custody);
    await meanwhile();
  }
}
