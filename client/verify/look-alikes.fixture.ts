import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Publication } from '../../activities/publication/publication.ts';
import { generateSigningKey } from '../../activities/signing/keys.ts';
import { ada, ben, eve } from '../../test/support/trust-files.ts';
import { readFolder } from './folder-files.ts';
import {
  attest,
  decided,
  edit,
  editAttestation,
  editParquet,
  editStatement,
  flipByte,
  scratch,
  sealAll,
  sealManifest,
  sealSums,
  swap,
} from './forgery.fixture.ts';
import { type LookAlike, PARQUET } from './parquet-look-alikes.fixture.ts';

const dropRow = (text: string) => text.replace('bus,20260303,on,23:45,Manly,1000\r\n', '');
const lower = (text: string) => text.replace('on,07:30,UNKNOWN,9\r\n', 'on,07:30,UNKNOWN,8\r\n');

/** By chance, or by somebody who repairs nothing. */
const DAMAGED: LookAlike[] = [
  [
    'another separator in the checksums, which sha256sum takes too',
    ['checksums'],
    (f) => edit(f, 'SHA256SUMS', (text) => text.replace('  ', ' *')),
  ],
  ['no line end after the checksums', ['checksums'], (f) => edit(f, 'SHA256SUMS', (text) => text.slice(0, -1))],
  ['a flipped byte in the statement', ['checksums', 'manifest'], (f) => flipByte(f, 'statement.md')],
  ['a dropped row', ['checksums', 'manifest', 'sums', 'parquet'], (f) => edit(f, 'time-location.csv', dropRow)],
  ['two files swapped', ['checksums', 'manifest', 'sums', 'metadata'], (f) => swap(f, 'time.csv', 'location.csv')],
  ['an extra file', ['checksums', 'manifest'], (f) => writeFile(join(f, 'cards.csv'), 'card\r\n')],
  ['an extra folder', ['checksums'], async (f) => void (await mkdir(join(f, 'raw')))],
  [
    'a link in place of a file',
    ['checksums', 'manifest'],
    async (f) => {
      await rename(join(f, 'time.csv'), join(scratch, 'time.csv'));
      await symlink(join(scratch, 'time.csv'), join(f, 'time.csv'));
    },
  ],
  ['no checksums', ['checksums'], (f) => rm(join(f, 'SHA256SUMS'))],
  [
    'a file listed twice',
    ['checksums'],
    (f) => edit(f, 'SHA256SUMS', (text) => text + text.slice(0, text.indexOf('\n') + 1)),
  ],
];

/** By somebody without keys, who repairs checksums and manifest. */
const FORGED: LookAlike[] = [
  [
    'a flipped byte with new checksums',
    ['manifest'],
    async (f) => {
      await flipByte(f, 'statement.md');
      await sealSums(f);
    },
  ],
  [
    'a file taken away with new checksums',
    ['manifest'],
    async (f) => {
      await rm(join(f, 'time.csv'));
      await sealSums(f);
    },
  ],
  [
    'a tombstone that was put beside it',
    ['retraction'],
    (f) => writeFile(join(f, 'RETRACTED.json'), '{"format":"opaline-retraction/1"}\n'),
  ],
  [
    'a flipped byte with a new manifest',
    ['attestation', 'signatures'],
    async (f) => {
      await flipByte(f, 'statement.md');
      await sealManifest(f);
    },
  ],
  [
    'a new manifest named in the attestation',
    ['attestation', 'signatures'],
    async (f) => {
      await flipByte(f, 'statement.md');
      const manifestDigest = await sealManifest(f);
      await editStatement(f, (statement) => void Object.assign(statement, { manifestDigest }), null);
      await sealSums(f);
    },
  ],
  [
    'another time, under the signature of the publisher',
    ['attestation'],
    async (f) => {
      await editStatement(
        f,
        (statement) => void Object.assign(statement, { publishedAt: '2026-03-19T01:02:03Z' }),
        null,
      );
      await sealSums(f);
    },
  ],
  [
    'fewer approvals asked for, under the signature of the publisher',
    ['attestation', 'approvers'],
    async (f) => {
      await editStatement(
        f,
        (statement, file) => {
          statement.required = 1;
          statement.approvers.pop();
          file.approvals.pop();
        },
        null,
      );
      await sealSums(f);
    },
  ],
  [
    'an attestation that is laid out in another way',
    ['attestation'],
    async (f) => {
      await edit(f, 'attestation.json', (text) => ` ${text}`);
      await sealSums(f);
    },
  ],
  [
    'a forged signature',
    ['signatures'],
    async (f) => {
      await editAttestation(f, ({ approvals }) => {
        const signature = Buffer.from(approvals[0]!.envelope.signatures[0]!.sig, 'base64');
        signature[9]! ^= 4;
        approvals[0]!.envelope.signatures[0]!.sig = signature.toString('base64');
      });
      await sealSums(f);
    },
  ],
  [
    'the approvals of two people swapped',
    ['signatures', 'trust'],
    async (f) => {
      await editAttestation(f, ({ approvals }) => void approvals.reverse());
      await sealSums(f);
    },
  ],
  [
    'one approval for a publication of two people',
    ['attestation', 'signatures', 'approvers', 'audit', 'publisher', 'trust'],
    async (f) => {
      await editAttestation(f, ({ approvals }) => void approvals.pop());
      await sealSums(f);
    },
  ],
];

const mallory = { subject: ada.subject, ...generateSigningKey() };
const trent = { subject: ben.subject, ...generateSigningKey() };

/** By strangers, who have keys of their own and sign whatever they like: only the reader's trust file tells. */
const STRANGE: LookAlike[] = [
  [
    "a stranger's whole forgery",
    ['publisher', 'trust'],
    async (f) => {
      const people = [mallory, trent];
      const approvals = [await decided(f, mallory), await decided(f, trent)];
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
    async (f) => attest(f, [ada, trent], [await decided(f, ada), await decided(f, trent)]),
  ],
  [
    'decisions under another trust file',
    ['trust'],
    async (f) => {
      const trust = { number: 1, digest: 'ab'.repeat(32) };
      await attest(f, [ada, ben], [await decided(f, ada, { trust }), await decided(f, ben)]);
    },
  ],
  [
    'a manifest and an attestation of another trust file',
    ['publisher', 'trust'],
    async (f) => {
      const trust = { number: 1, digest: 'ab'.repeat(32) };
      await sealManifest(f, () => ({ trust }));
      await attest(f, [ada, ben], [await decided(f, ada), await decided(f, ben)], { trust });
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
    async (f) => attest(f, [ada], [await decided(f, ada)], { required: 1 }),
  ],
  [
    'two approvals of people who asked for three',
    ['approvers'],
    async (f) => attest(f, [ada, ben], [await decided(f, ada, { required: 3 }), await decided(f, ben)]),
  ],
  [
    'one approval counted twice',
    ['approvers'],
    async (f) => {
      const one = await decided(f, ada);
      await attest(f, [ada, ada], [one, one]);
    },
  ],
  [
    'one person under two spellings',
    ['approvers'],
    async (f) => {
      const twin = { ...ada, subject: ada.subject.toUpperCase() };
      await attest(f, [ada, twin], [await decided(f, ada), await decided(f, ada)], {});
    },
  ],
  [
    'an approval under the name of another',
    ['signatures', 'trust'],
    async (f) => attest(f, [{ ...ada, subject: eve.subject }, ben], [await decided(f, ada), await decided(f, ben)]),
  ],
  [
    'another series file',
    ['attestation'],
    async (f) =>
      attest(f, [ada, ben], [await decided(f, ada), await decided(f, ben)], { seriesDigest: 'ab'.repeat(32) }),
  ],
  [
    'another policy',
    ['attestation'],
    async (f) =>
      attest(f, [ada, ben], [await decided(f, ada), await decided(f, ben)], { policyDigest: 'ab'.repeat(32) }),
  ],
  [
    'an approval from before the release came to its gate',
    ['signatures'],
    async (f) => {
      const { manifest } = new Publication(await readFolder(f));
      await sealManifest(f, () => ({ ledger: { sequence: 2, digest: 'ab'.repeat(32) } }));
      const early = { ledger: manifest.ledger! };
      const approvals = [await decided(f, ada, early), await decided(f, ben)];
      await attest(f, [ada, ben], approvals, { ledger: { sequence: 2, digest: 'ab'.repeat(32) } });
    },
  ],
];

/** By approvers who sign what they should not. */
const SIGNED: LookAlike[] = [
  [
    'a failed audit',
    ['audit'],
    async (f) => {
      await edit(f, 'audit.json', (text) => text.replaceAll('"verdict":"pass"', '"verdict":"fail"'));
      await sealAll(f);
    },
  ],
  [
    'a verdict that is not that of the checks',
    ['audit'],
    async (f) => {
      await edit(f, 'audit.json', (text) => text.replace('"verdict":"pass"', '"verdict":"fail"'));
      await sealAll(f);
    },
  ],
  [
    'an attention point that nobody acknowledged',
    ['audit'],
    async (f) => {
      await edit(f, 'audit.json', (text) => {
        const at = text.lastIndexOf('"verdict":"pass"}]');
        return `${text.slice(0, at)}"verdict":"attention"}]${text.slice(at + 18)}`.replace(
          /"verdict":"pass"\}\n/,
          '"verdict":"attention"}\n',
        );
      });
      await sealAll(f);
    },
  ],
  [
    'a certificate with a lower threshold',
    ['certificate'],
    async (f) => {
      await edit(f, 'certificate.json', (text) => text.replace('"threshold":9', '"threshold":8'));
      await sealAll(f);
    },
  ],
  [
    'the parameters of a stronger guarantee',
    ['certificate'],
    async (f) => {
      await edit(f, 'privacy.json', (text) => text.replace('"epsilon":"8"', '"epsilon":"1"'));
      await sealAll(f);
    },
  ],
  [
    'a cell under the threshold',
    ['threshold'],
    async (f) => {
      await edit(f, 'time-location.csv', lower);
      await editParquet(f, ({ cells }) => {
        cells.find(({ count }) => count === 9)!.count = 8;
      });
      for (const name of ['time.csv', 'location.csv']) await edit(f, name, (text) => text.replace(',9\r\n', ',8\r\n'));
      await sealAll(f);
    },
  ],
  [
    'rows in another order',
    ['order', 'sums', 'parquet'],
    async (f) => {
      await edit(f, 'time-location.csv', (text) => {
        const [header, first, second, ...rest] = text.split('\r\n');
        return [header, second, first, ...rest].join('\r\n');
      });
      await sealAll(f);
    },
  ],
  [
    'a time table with noise of its own',
    ['sums'],
    async (f) => {
      await edit(f, 'time.csv', (text) => text.replace(',103\r\n', ',101\r\n'));
      await sealAll(f);
    },
  ],
  [
    'a day outside the window',
    ['sums', 'domain', 'parquet'],
    async (f) => {
      await editParquet(f, ({ cells }) => {
        cells.at(-1)!.day = '2026-03-04';
      });
      await sealAll(f);
    },
  ],
  [
    'trailing lines that are no CSV',
    ['metadata', 'sums'],
    async (f) => {
      await edit(f, 'time.csv', (text) => `${text}</xml>\r\n`);
      await sealAll(f);
    },
  ],
  [
    'a clock in privacy.json',
    ['metadata'],
    async (f) => {
      await edit(f, 'privacy.json', (text) =>
        text.replace('A published count', 'Made 2026-03-10T10:00Z. A published count'),
      );
      await sealAll(f);
    },
  ],
  [
    'a manifest that hides a hole',
    ['parameters'],
    async (f) => {
      await sealAll(f, ({ partitions }) => ({ partitions: partitions.slice(1) }));
    },
  ],
];

/** Publications that are not what they seem, with all the checks that catch them. */
export const LOOK_ALIKES: readonly LookAlike[] = [
  ...DAMAGED,
  ...FORGED,
  ...STRANGE,
  ...ATTESTED,
  ...SIGNED,
  ...PARQUET,
];
