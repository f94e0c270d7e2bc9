import { beforeAll, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { POLICY_POWERS } from '../../contracts/formats/policy.ts';
import type { PrivateActivities } from '../../contracts/stages.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { testPolicy } from '../support/test-custody.ts';
import { widePopulation } from '../support/test-trust.ts';
import { publishedStatement } from '../support/trust-files.ts';

/** Two custodians on one server, with policies of their own: what somebody schedules for the wrong one. */
let release: ReleaseBench;
let ids = 0;

beforeAll(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
});

function worker(policy = testPolicy()): PrivateActivities {
  const { private: usual } = release.contexts({ random: seededSource(1), newId: () => numberedId(++ids) });
  return createPrivateActivities({ ...usual, policy });
}

const populations = { 'tram-riders': widePopulation(['trips']) };
const signer = { name: 'theirs', key: generateSigningKey().publicKey, may: [...POLICY_POWERS], revoked: false };

test.each([
  ['with signers of its own', testPolicy({ populations, keys: [signer] }), 'SERIES_UNSIGNED'],
  ['with the same signer, as an office for both may have it', testPolicy({ populations }), 'POLICY_REFUSED'],
] as const)('C11a: a worker %s does nothing for a release of the other', async (_, policy, code) => {
  const run = release.run();
  const { partitions } = release;
  const { charge } = await worker().reserve({ ...run, partitions });
  await worker().ingest({ ...run, round: 0 });
  const before = await release.objects();
  const other = worker(policy);
  const [partition] = partitions;
  const calls: Record<keyof PrivateActivities, () => Promise<unknown>> = {
    missingObjects: () => other.missingObjects(run),
    changedObjects: () => other.changedObjects(run),
    ingest: () => other.ingest({ ...run, round: 0 }),
    reingest: () => other.reingest({ ...run, round: 1, partitions }),
    reserve: () => other.reserve({ ...run, partitions }),
    bin: () => other.bin({ ...run, round: 0, partitions }),
    privatize: () => other.privatize({ ...run, round: 0, partitions: [partition!], charge }),
    abandon: () => other.abandon({ ...run, partitions }),
    shadow: () => other.shadow(run),
    commit: () => other.commit({ ...run, charge, statement: publishedStatement(run) }),
    withhold: () => other.withhold({ ...run, charge, reason: 'rejected' }),
  };
  for (const [name, call] of Object.entries(calls)) {
    // What ends a charge finds the ledger under a policy that it does not know.
    const refused = /^(commit|withhold)$/.test(name) ? expect.toBeOneOf([code, 'LEDGER_BEHIND']) : code;
    await expect(call(), name).rejects.toMatchObject({ code: refused });
  }
  expect(await release.objects()).toEqual(before);
  expect(await worker().reserve({ ...run, partitions })).toEqual({ charge });
});
