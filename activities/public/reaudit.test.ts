import { expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { auditInputs } from '../../services/draws/stage-receipt.ts';
import { appendToLedger } from '../../services/ledger/ledger.ts';
import { putSignature } from '../../services/orders/series-signature.ts';
import { jsonBytes, readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { ledgerWriter, POLICY_KEY, RESERVE_TERMS } from '../../test/support/test-custody.ts';
import { type TestRelease, testRelease } from '../../test/support/test-release.ts';
import { eve } from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { derive } from './derive.ts';
import { reaudit } from './reaudit.ts';

const AMOUNTS = { epsilon: '100', delta: '1/100' };

/** An audited release, in whose ledger the policy names whose series files are believed. */
async function audited(): Promise<TestRelease> {
  const release = await testRelease();
  const { releaseStore } = release.context;
  const { unit, neighbours, policy, trust } = RESERVE_TERMS;
  await appendToLedger(ledgerWriter(releaseStore), release.series.population, () => ({
    kind: 'policy',
    unit,
    neighbours,
    policy,
    trust,
    caps: { block: AMOUNTS, year: AMOUNTS },
    order: null,
    signers: [{ name: 'the *custodian*', key: POLICY_KEY.publicKey }],
  }));
  await derive(release.context, release.input);
  await audit(release.context, release.input);
  return release;
}

test('C15: a corrected declaration counts when a key of the policy has signed it, and is told under that name', async () => {
  const { context, run, input, series } = await audited();
  const { releaseStore } = context;
  const declared = jsonBytes({ ...series, audit: { equalTruth: [] } });
  const declaration = sha256(declared);
  await releaseStore.putIfAbsent(RELEASE_KEYS.series(run.series, declaration), declared);
  const again = () => reaudit(context, { ...input, declaration });
  await expect(again()).rejects.toMatchObject({ code: 'SERIES_UNSIGNED' });
  const file = { series: { series: run.series }, digest: declaration, signature: null };
  await putSignature(releaseStore, file, eve.privateKey);
  await expect(again()).rejects.toMatchObject({ code: 'SERIES_UNSIGNED' });
  expect(await releaseStore.head(RELEASE_KEYS.auditReceipt(run, auditInputs(input, declaration)))).toBeNull();
  await putSignature(releaseStore, file, POLICY_KEY.privateKey);
  await expect(again()).resolves.toMatchObject({ verdict: expect.any(String) });
  const statement = (await readBytes(releaseStore, RELEASE_KEYS.reaudited(run, 'statement.md'))).toString();
  expect(statement).toContain('was then corrected and signed with the policy key the custodian:');
});
