import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { intoFirstGeneration } from '../client/verify/first-generation.fixture.ts';
import { publish } from '../client/verify/forgery.fixture.ts';
import { EXIT } from '../contracts/errors.ts';
import type { TrustVersion } from '../contracts/formats/trust.ts';
import { signDocument } from '../services/signing/signed-document.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { ada, approver, rootKey, trustFile, trustVersion } from '../test/support/trust-files.ts';
import { run } from './process.fixture.ts';

const folder = newFolder();
let honest: string;
beforeAll(async () => {
  honest = await publish();
});

async function verified(publication: string, change: Partial<TrustVersion> | null) {
  const file = join(folder, 'trust.json');
  if (change) await writeFile(file, trustFile(signDocument(trustVersion(change), rootKey.privateKey)));
  const { code, stdout } = await run(['verify', publication, ...(change ? ['--trust', file] : [])]);
  return { code, verdict: stdout.trim().split('\n').at(-1) };
}

const FAILED = { code: EXIT.verificationFailed, verdict: expect.stringContaining('NOT VERIFIED') };

test('the exit code says whom a publication is tied to', async () => {
  expect(await verified(honest, null)).toEqual({
    code: EXIT.waiting,
    verdict: expect.stringContaining('Consistent in itself, tied to nobody'),
  });
  expect(await verified(honest, {})).toMatchObject({ code: EXIT.done });
  // Of a demo the trust file is another one than that of the publication.
  expect(await verified(honest, { approvers: [approver(ada)] })).toEqual(FAILED);
  const damaged = join(folder, 'damaged');
  await cp(honest, damaged, { recursive: true });
  await writeFile(join(damaged, 'time.csv'), '');
  expect(await verified(damaged, null)).toEqual(FAILED);
}, 240_000);

test('C16: a whole forgery in the form of the first generation, with the key of one approver, is not verified', async () => {
  const forged = join(folder, 'forged');
  await cp(honest, forged, { recursive: true });
  await intoFirstGeneration(forged, ada);
  for (const change of [{}, { required: 2 }, { approvers: [approver(ada)] }, null])
    expect(await verified(forged, change)).toEqual(FAILED);
}, 240_000);
