import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TABLES } from '../../counts/tables/tap-tables.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import {
  edit,
  editAttestation,
  editParquet,
  editStatement,
  editTotals,
  flipByte,
  type LookAlike,
  sealAll,
  sealManifest,
  sealSums,
  swap,
} from './forgery.fixture.ts';
import { BELIEVED } from './misplaced-trust.fixture.ts';
import { PARQUET } from './parquet-look-alikes.fixture.ts';
import { WORDED } from './worded-look-alikes.fixture.ts';

const dropRow = (text: string) =>
  text.replace('bus,2026-03-03,on,23:45,2026-03-03T23:45:00,2026-03-04T00:00:00,Manly,1000\r\n', '');
const lower = (text: string) => text.replace(',UNKNOWN,9\r\n', ',UNKNOWN,8\r\n');

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
  [
    'two files swapped',
    ['checksums', 'manifest', 'description', 'sums', 'metadata', 'parquet'],
    (f) => swap(f, 'time.csv', 'location.csv'),
  ],
  ['an extra file', ['checksums', 'manifest'], (f) => writeFile(join(f, 'cards.csv'), 'card\r\n')],
  ['an extra folder', ['checksums'], async (f) => void (await mkdir(join(f, 'raw')))],
  [
    'a link in place of a file',
    ['checksums', 'manifest', 'description', 'metadata'],
    async (f) => {
      const elsewhere = join(newFolder(), 'time.csv');
      await rename(join(f, 'time.csv'), elsewhere);
      await symlink(elsewhere, join(f, 'time.csv'));
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
    ['manifest', 'description', 'metadata'],
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
    ['signatures', 'trust'],
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

/** By approvers who sign what they should not. */
const SIGNED: LookAlike[] = [
  [
    'a failed audit',
    ['audit', 'history'],
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
      for (const name of ['time.csv', 'location.csv']) await edit(f, name, (text) => text.replace(',9\r\n', ',8\r\n'));
      for (const name of TABLES)
        await editParquet(f, name, (rows) => {
          rows.find(({ count }) => count === 9)!.count = 8;
        });
      await edit(f, 'summary.json', (text) => text.replaceAll('"total":1290', '"total":1289'));
      await editTotals(f, (total) => (total.count === 112 ? { ...total, count: 111 } : total));
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
    ['sums', 'totals'],
    async (f) => {
      await edit(f, 'time.csv', (text) => text.replace(',103\r\n', ',101\r\n'));
      await editParquet(f, 'time', (rows) => {
        rows.find(({ count }) => count === 103)!.count = 101;
      });
      await sealAll(f);
    },
  ],
  [
    'a day outside the window',
    ['sums', 'domain', 'parquet', 'history'],
    async (f) => {
      await editParquet(f, 'time-location', (cells) => {
        cells.at(-1)!.day = '2026-03-04';
      });
      await sealAll(f);
    },
  ],
  [
    'a summary with another total',
    ['totals'],
    async (f) => {
      await edit(f, 'summary.json', (text) => text.replace(/"total":\d+/, '"total":7'));
      await sealAll(f);
    },
  ],
  [
    'trailing lines that are no CSV',
    ['metadata', 'sums', 'parquet'],
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

/** By approvers who sign metadata that is not about what is there. */
const DESCRIBED: LookAlike[] = [
  [
    'a catalogue record with another digest',
    ['description'],
    async (f) => {
      await edit(f, 'dcat.jsonld', (text) => text.replace(/"@value":"[0-9a-f]{64}"/, `"@value":"${'0'.repeat(64)}"`));
      await sealAll(f);
    },
  ],
  [
    'a data package with other columns',
    ['description'],
    async (f) => {
      await edit(f, 'datapackage.json', (text) => text.replaceAll('"name":"tap"', '"name":"card"'));
      await sealAll(f);
    },
  ],
  [
    'a place at another spot of the map',
    ['places'],
    async (f) => {
      await edit(f, 'places.csv', (text) => text.replace('bus,Manly,Manly,,', 'bus,Manly,Manly,-33.8,'));
      await sealAll(f);
    },
  ],
  [
    'a list of places with one more',
    ['description', 'places'],
    async (f) => {
      await edit(f, 'places-bus.csv', (text) => `${text}4,Nowhere\n`);
      await sealAll(f);
    },
  ],
  [
    'a summary of another release',
    ['description'],
    async (f) => {
      await edit(f, 'summary.json', (text) =>
        text.replace('"release":"demo/2026-03-02/v1"', '"release":"demo/2026-03-09/v1"'),
      );
      await sealAll(f);
    },
  ],
  [
    'a summary that names a file that is not there',
    ['description', 'totals'],
    async (f) => {
      await edit(f, 'summary.json', (text) => text.replace('"name":"time.csv"', '"name":"cards.csv"'));
      await sealAll(f);
    },
  ],
];

/** Every JSON file of a publication but its manifest and attestation, which have checks of their own. */
const JSON_FILES = [
  ...['audit.json', 'certificate.json', 'datapackage.json', 'dcat.jsonld', 'privacy.json'],
  ...['schema-org.jsonld', 'summary.json'],
];

/** By approvers who sign what JSON.parse does not show: the first of two keys of one name, and blanks. */
const UNCANONICAL: LookAlike[] = JSON_FILES.flatMap((file) => [
  [
    `a key that is there twice in ${file}`,
    ['manifest'],
    async (f) => {
      await edit(f, file, (text) => text.replace(/^\{("[^"]+":)/, '{$1"exact count of Manly: 87",$1'));
      await sealAll(f);
    },
  ],
  [
    `blanks in ${file}`,
    ['manifest'],
    async (f) => {
      await edit(f, file, (text) => text.replace('{', '{ '));
      await sealAll(f);
    },
  ],
]);

/** Publications that are not what they seem, with all the checks that catch them. */
export const LOOK_ALIKES: readonly LookAlike[] = [
  ...DAMAGED,
  ...FORGED,
  ...BELIEVED,
  ...SIGNED,
  ...DESCRIBED,
  ...WORDED,
  ...UNCANONICAL,
  ...PARQUET,
];
