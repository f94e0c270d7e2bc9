import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { signDocument } from '../activities/signing/signed-document.ts';
import { EXIT } from '../contracts/errors.ts';
import type { TrustVersion } from '../contracts/formats/trust.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { ada, approver, rootKey, trustFile, trustVersion } from '../test/support/trust-files.ts';
import { run } from './process.fixture.ts';

const PUBLICATION = fileURLToPath(new URL('../test/generation-1/publication/small/2026-03-02/v1', import.meta.url));

const folder = newFolder();
let named: { subject: string; publicKey: string };
beforeAll(async () => {
  const { predicate } = JSON.parse(await readFile(join(PUBLICATION, 'attestation.json'), 'utf8'));
  [named] = predicate.approvals;
});

async function verified(publication: string, change: Partial<TrustVersion> | null) {
  const file = join(folder, 'trust.json');
  if (change) await writeFile(file, trustFile(signDocument(trustVersion(change), rootKey.privateKey)));
  const { code, stdout } = await run(['verify', publication, ...(change ? ['--trust', file] : [])]);
  return { code, verdict: stdout.trim().split('\n').at(-1) };
}

test('the exit code says whom a publication is tied to', async () => {
  expect(await verified(PUBLICATION, null)).toEqual({
    code: EXIT.waiting,
    verdict: expect.stringContaining('Consistent in itself, tied to nobody'),
  });
  const approvers = [approver(named)];
  expect(await verified(PUBLICATION, { approvers })).toMatchObject({ code: EXIT.done });
  expect(await verified(PUBLICATION, { approvers, demo: true })).toEqual({
    code: EXIT.done,
    verdict: expect.stringContaining('demo keys'),
  });
  const failed = { code: EXIT.verificationFailed, verdict: expect.stringContaining('NOT VERIFIED') };
  expect(await verified(PUBLICATION, { approvers: [approver(ada)] })).toEqual(failed);
  const damaged = join(folder, 'damaged');
  await cp(PUBLICATION, damaged, { recursive: true });
  await writeFile(join(damaged, 'time.csv'), '');
  expect(await verified(damaged, null)).toEqual(failed);
}, 60_000);
