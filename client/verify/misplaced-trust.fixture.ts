import { type Receipt, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { entrySchema } from '../../contracts/formats/ledger-entry.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { partitionPath } from '../../contracts/names.ts';
import { Publication } from '../../services/publication/publication.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { readDocument, signDocument } from '../../services/signing/signed-document.ts';
import { numberedId } from '../../test/support/release-bench.ts';
import { ada, ben, eve, ledgerKey, publisherKey } from '../../test/support/trust-files.ts';
import { readFolder } from './folder-files.ts';
import {
  attest,
  decide,
  editAttestation,
  editStatement,
  type LookAlike,
  sealAll,
  sealManifest,
  sealSums,
} from './forgery.fixture.ts';

const mallory = { subject: ada.subject, ...generateSigningKey() };
const trent = { subject: ben.subject, ...generateSigningKey() };

/** By strangers, who have keys of their own and sign whatever they like: only the reader's trust file shows it. */
const STRANGE: LookAlike[] = [
  [
    "a stranger's whole forgery",
    ['publisher', 'trust'],
    async (f) => {
      const people = [mallory, trent];
      const approvals = [await decide(f, mallory), await decide(f, trent)];
      await attest(f, people, approvals, {}, generateSigningKey());
    },
  ],
  [
    "a stranger's attestation around real approvals, with another time",
    ['publisher'],
    (f) => editStatement(f, strangeTime, generateSigningKey()).then(() => sealSums(f)),
  ],
  [
    'a stranger among the approvers',
    ['trust'],
    async (f) => attest(f, [ada, trent], [await decide(f, ada), await decide(f, trent)]),
  ],
  [
    'decisions under another trust file',
    ['trust'],
    async (f) => {
      const trust = { number: 1, digest: 'ab'.repeat(32) };
      await attest(f, [ada, ben], [await decide(f, ada, { trust }), await decide(f, ben)]);
    },
  ],
  [
    'a manifest and an attestation of another trust file',
    ['publisher', 'trust'],
    async (f) => {
      const trust = { number: 1, digest: 'ab'.repeat(32) };
      await sealManifest(f, () => ({ trust }));
      await attest(f, [ada, ben], [await decide(f, ada), await decide(f, ben)], { trust });
    },
  ],
];

function strangeTime(statement: { publishedAt: string }): void {
  statement.publishedAt = '2026-03-19T01:02:03Z';
}

/** By a publisher who attests what nobody approved so. */
const ATTESTED: LookAlike[] = [
  [
    'one approval under an attestation that asks for one, where two people asked for two',
    ['approvers'],
    async (f) => attest(f, [ada], [await decide(f, ada)], { required: 1 }),
  ],
  [
    'two approvals of people who asked for three',
    ['approvers'],
    async (f) => attest(f, [ada, ben], [await decide(f, ada, { required: 3 }), await decide(f, ben)]),
  ],
  [
    'one approval counted twice',
    ['approvers', 'trust'],
    async (f) => {
      const one = await decide(f, ada);
      await attest(f, [ada, ada], [one, one]);
    },
  ],
  [
    'one person under two spellings',
    ['approvers', 'trust'],
    async (f) => {
      const twin = { ...ada, subject: ada.subject.toUpperCase() };
      await attest(f, [ada, twin], [await decide(f, ada), await decide(f, ada)], {});
    },
  ],
  [
    'an approval under the name of another',
    ['signatures', 'trust'],
    async (f) => attest(f, [{ ...ada, subject: eve.subject }, ben], [await decide(f, ada), await decide(f, ben)]),
  ],
  [
    'another series file',
    ['attestation'],
    async (f) => attest(f, [ada, ben], [await decide(f, ada), await decide(f, ben)], { seriesDigest: 'ab'.repeat(32) }),
  ],
  [
    'another policy',
    ['attestation'],
    async (f) => attest(f, [ada, ben], [await decide(f, ada), await decide(f, ben)], { policyDigest: 'ab'.repeat(32) }),
  ],
  [
    'an approval from before the release came to its gate',
    ['signatures'],
    async (f) => {
      const { manifest } = new Publication(await readFolder(f));
      await sealManifest(f, () => ({ ledger: { sequence: 2, digest: 'ab'.repeat(32) } }));
      const early = { ledger: manifest.ledger! };
      const approvals = [await decide(f, ada, early), await decide(f, ben)];
      await attest(f, [ada, ben], approvals, { ledger: { sequence: 2, digest: 'ab'.repeat(32) } });
    },
  ],
];

const REASON = 'object-late' as const;

/** The receipts of a manifest as somebody else would have made them. */
const signReceipts = (
  { partitions }: Manifest,
  key: string,
  change: (receipt: Receipt) => object = (receipt) => receipt,
): Pick<Manifest, 'partitions'> => ({
  partitions: partitions.map((one) => {
    const receipt = readDocument<Receipt>(one.receipt, receiptSchema, 'receipt');
    return { ...one, receipt: signDocument(change(receipt), key) };
  }),
});

/** By approvers and publisher together, on what the private worker never signed. */
const UNDRAWN: LookAlike[] = [
  [
    'a table that nobody drew',
    ['receipts'],
    (f) =>
      sealAll(f, ({ partitions: [first, ...others] }) => ({
        partitions: [{ ...first!, privatizedTable: 'ab'.repeat(32) }, ...others],
      })),
  ],
  [
    'a hole instead of a draw',
    ['receipts', 'parameters'],
    (f) =>
      sealAll(f, ({ partitions: [first, ...others] }) => ({
        partitions: [{ ...first!, privatizedTable: null, hole: 'OBJECT_MISSING' }, ...others],
      })),
  ],
  [
    'a correction that was not ordered',
    ['receipts'],
    (f) =>
      sealAll(f, ({ partitions }) => ({
        correction: { of: 1, reason: REASON, redrawn: partitions.map(partitionPath) },
      })),
  ],
  [
    'draws of this version as those of an earlier one',
    ['receipts'],
    (f) => sealAll(f, () => ({ correction: { of: 1, reason: REASON, redrawn: [] } })),
  ],
  [
    'another charge',
    ['attestation', 'publisher', 'trust', 'receipts'],
    (f) => sealAll(f, () => ({ charge: numberedId(5) })),
  ],
  ['receipts of the publisher', ['receipts'], (f) => sealAll(f, (one) => signReceipts(one, publisherKey.privateKey))],
  [
    'a tip of the ledger from before the charge',
    ['receipts'],
    (f) => sealAll(f, (one) => signReceipts(one, ledgerKey.privateKey, (receipt) => ({ ...receipt, sequence: 2 }))),
  ],
];

/** The ledger's entry of the charge in the attestation, changed and signed with a key. */
const editReserve = async (folder: string, change: object, { privateKey }: { privateKey: string }) => {
  await editAttestation(folder, (file) => {
    const entry = readDocument(file.reserve, entrySchema, 'entry of a ledger');
    file.reserve = signDocument({ ...entry, ...change }, privateKey);
  });
  await sealSums(folder);
};

/** Where the release was charged, as somebody would have it. */
const CHARGED: LookAlike[] = [
  ['a charge that a publisher signed', ['publisher', 'trust'], (f) => editReserve(f, {}, publisherKey)],
  [
    'the charge of another release',
    ['attestation', 'publisher', 'trust'],
    (f) => editReserve(f, { release: 'demo/2026-03-02/v2' }, ledgerKey),
  ],
  [
    'the charge of another population',
    ['attestation', 'publisher', 'trust'],
    (f) => editReserve(f, { population: 'others' }, ledgerKey),
  ],
  [
    'approvals and an attestation from before the charge',
    ['attestation', 'publisher', 'trust'],
    (f) => editReserve(f, { sequence: 2 }, ledgerKey),
  ],
];

/** Publications that are signed throughout, by people whom nobody should believe in that. */
export const BELIEVED: readonly LookAlike[] = [...STRANGE, ...ATTESTED, ...UNDRAWN, ...CHARGED];
