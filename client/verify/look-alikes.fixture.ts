import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eve } from '../../test/support/test-release.ts';
import {
  edit,
  editAttestation,
  editParquet,
  flipByte,
  scratch,
  sealAll,
  sealManifest,
  sealSums,
  swap,
} from './forgery.fixture.ts';

type LookAlike = [name: string, expected: string[], forge: (folder: string) => Promise<void>];

const dropRow = (text: string) => text.replace('bus,20260303,on,23:45,Manly,1000\r\n', '');
const lower = (text: string) => text.replace('on,07:30,UNKNOWN,9\r\n', 'on,07:30,UNKNOWN,8\r\n');

/** By chance, or by somebody who repairs nothing. */
const DAMAGED: LookAlike[] = [
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
    ['signatures'],
    async (f) => {
      await flipByte(f, 'statement.md');
      const digest = await sealManifest(f);
      await editAttestation(f, ({ subject }) => {
        subject[0]!.digest.sha256 = digest;
      });
      await sealSums(f);
    },
  ],
  [
    'a forged signature',
    ['signatures'],
    async (f) => {
      await editAttestation(f, ({ predicate }) => {
        const signature = Buffer.from(predicate.approvals[0]!.envelope.signatures[0]!.sig, 'base64');
        signature[9]! ^= 4;
        predicate.approvals[0]!.envelope.signatures[0]!.sig = signature.toString('base64');
      });
      await sealSums(f);
    },
  ],
  [
    'an approval under the name of another',
    ['signatures'],
    async (f) => {
      await editAttestation(f, ({ predicate }) => {
        predicate.approvals[0]!.subject = eve.subject;
      });
      await sealSums(f);
    },
  ],
  [
    'the keys of two approvers swapped',
    ['signatures'],
    async (f) => {
      await editAttestation(
        f,
        ({
          predicate: {
            approvals: [a, b],
          },
        }) => {
          [a!.publicKey, b!.publicKey] = [b!.publicKey, a!.publicKey];
        },
      );
      await sealSums(f);
    },
  ],
  [
    'one approval counted twice',
    ['approvers'],
    async (f) => {
      await editAttestation(f, ({ predicate }) => {
        predicate.approvals[1] = predicate.approvals[0]!;
      });
      await sealSums(f);
    },
  ],
  [
    'too few approvals',
    ['approvers'],
    async (f) => {
      await editAttestation(f, ({ predicate }) => void predicate.approvals.pop());
      await sealSums(f);
    },
  ],
  [
    'the attestation of another series file',
    ['attestation'],
    async (f) => {
      await editAttestation(f, ({ predicate }) => {
        predicate.seriesDigest = 'ab'.repeat(32);
      });
      await sealSums(f);
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
    'an hour row where the certificate has none',
    ['sums', 'hour-rows'],
    async (f) => {
      await writeFile(join(f, 'hours.csv'), 'mode,date,tap,hour,loc,count\r\nbus,20260302,on,07,Manly,40\r\n');
      await editParquet(f, ({ hours }) => {
        hours.push({ mode: 'bus', day: '2026-03-02', tap: 'on', time: '07', location: 'Manly', count: 40 });
      });
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
    'a Parquet file with another count',
    ['sums', 'parquet'],
    async (f) => {
      await editParquet(f, ({ cells }) => {
        cells[0]!.count += 1;
      });
      await sealAll(f);
    },
  ],
  [
    'a Parquet file that is cut',
    ['sums', 'metadata', 'parquet'],
    async (f) => {
      await writeFile(join(f, 'taps.parquet'), (await readFile(join(f, 'taps.parquet'))).subarray(0, 200));
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
export const LOOK_ALIKES: readonly LookAlike[] = [...DAMAGED, ...FORGED, ...SIGNED];
