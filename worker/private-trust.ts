import { readFile } from 'node:fs/promises';
import type { PrivateContext } from '../activities/private/context.ts';
import { payloadOf } from '../activities/signing/envelope.ts';
import { readDocument } from '../activities/signing/signed-document.ts';
import { sha256 } from '../activities/stores/json-objects.ts';
import type { PrivateDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { trustFileSchema, trustVersionSchema } from '../contracts/formats/trust.ts';

/** The newest version of the trust file, and its keys of ledgers. */
export async function privateTrust({
  trust,
}: PrivateDeployment): Promise<Pick<PrivateContext, 'trust' | 'ledgerKeys'>> {
  try {
    const { versions } = trustFileSchema.parse(JSON.parse(await readFile(trust.file, 'utf8')));
    const newest = versions.at(-1)!;
    const { number, ledgers } = readDocument(newest, trustVersionSchema, 'version of a trust file');
    return {
      trust: { number, digest: sha256(payloadOf(newest)) },
      ledgerKeys: (population, sequence) =>
        ledgers
          .filter(({ valid }) => {
            const { from = 1, until = Number.MAX_SAFE_INTEGER } = valid[population] ?? {};
            return from <= sequence && sequence <= until;
          })
          .map(({ key }) => key),
    };
  } catch {
    throw new OpalineError('CONFIGURATION_INVALID', 'The trust file that the private deployment names cannot be read.');
  }
}
