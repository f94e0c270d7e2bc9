import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attestationSchema } from '../../activities/public/attestation.ts';
import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { readParquet, writeParquet } from '../../activities/public/parquet.ts';
import { publish } from '../../activities/public/publish.ts';
import {
  ada,
  ben,
  eve,
  type TestRelease,
  testDecision,
  testRelease,
  testSeries,
  testTables,
} from '../../activities/public/test-release.ts';
import { signDecision } from '../../activities/signing/decision.ts';
import { jsonBytes, sha256 } from '../../activities/stores/json-objects.ts';
import { type Manifest, manifestSchema } from '../../contracts/manifest.ts';
import { verifyPublication } from './verify-publication.ts';

const opened: TestRelease[] = [];
const scratch = await mkdtemp(join(tmpdir(), 'opaline-verify-'));
afterAll(async () => {
  await rm(scratch, { recursive: true });
  for (const release of opened) await release.remove();
});

/** A publication made by the real stages. */
async function published(...parameters: Parameters<typeof testRelease>): Promise<string> {
  const release = await testRelease(...parameters);
  opened.push(release);
  await derive(release.context, release.input);
  const { manifestDigest, verdict, attention } = await audit(release.context, release.input);
  const decisions: string[] = [];
  for (const person of [ada, ben]) {
    const signed = { acknowledged: attention };
    const input = testDecision(release.run, manifestDigest, person, signed, { verdict, attention });
    const answer = await decide(release.context, input);
    if (answer.accepted) decisions.push(answer.digest);
  }
  await publish(release.context, { ...release.run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03Z' });
  return join(release.folder, 'publication', 'demo', '2026-03-02', 'v1');
}

let honest: string;
beforeAll(async () => {
  honest = await published();
});

let copies = 0;
async function copy(): Promise<string> {
  copies += 1;
  const folder = join(scratch, String(copies));
  await cp(honest, folder, { recursive: true });
  return folder;
}

const edit = async (folder: string, name: string, change: (text: string) => string) => {
  const text = await readFile(join(folder, name), 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(join(folder, name), change(text));
};
const editAttestation = (folder: string, change: (attestation: ReturnType<typeof attestationSchema.parse>) => void) =>
  edit(folder, 'attestation.json', (text) => {
    const attestation = attestationSchema.parse(JSON.parse(text));
    change(attestation);
    return jsonBytes(attestation).toString();
  });

async function sealSums(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = await Promise.all(
    names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
  );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** What an intruder can repair without keys: the checksums and the manifest. */
async function sealManifest(
  folder: string,
  change: (manifest: Manifest) => Partial<Manifest> = () => ({}),
): Promise<string> {
  const outside = ['manifest.json', 'attestation.json', 'SHA256SUMS'];
  const names = (await readdir(folder)).filter((name) => !outside.includes(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return { name, sha256: sha256(bytes), bytes: bytes.length };
    }),
  );
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')));
  const bytes = jsonBytes({ ...manifest, files, ...change(manifest) });
  await writeFile(join(folder, 'manifest.json'), bytes);
  await sealSums(folder);
  return sha256(bytes);
}

/** What the approvers themselves could do: sign whatever lies there. */
async function sealAll(folder: string, change?: (manifest: Manifest) => Partial<Manifest>): Promise<void> {
  const digest = await sealManifest(folder, change);
  await editAttestation(folder, (attestation) => {
    attestation.subject[0]!.digest.sha256 = digest;
    const release = { series: 'demo', window: '2026-03-02', version: 1 };
    for (const approval of attestation.predicate.approvals) {
      const person = approval.subject === ada.subject ? ada : ben;
      const request = { release, manifestDigest: digest, subject: person.subject, acknowledged: [] };
      const signed = { ...request, decision: 'approve', reason: 'audit-passed' } as const;
      approval.envelope = signDecision(signed, person.privateKey);
    }
  });
  await sealSums(folder);
}

const failed = async (folder: string): Promise<string[]> =>
  (await verifyPublication(folder)).checks.filter(({ ok }) => !ok).map(({ id }) => id);

test('an honest publication verifies, and every check says what it found', async () => {
  const report = await verifyPublication(honest);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(report.verified).toBe(true);
  expect(report.checks.map(({ id }) => id)).toEqual([
    'checksums',
    'manifest',
    'parameters',
    'attestation',
    'signatures',
    'approvers',
    'audit',
    'certificate',
    'threshold',
    'order',
    'sums',
    'domain',
    'metadata',
    'parquet',
  ]);
  expect(report.checks.every(({ sentence }) => sentence.length > 20)).toBe(true);
});

test('publications with holes, with remainder rows, and with fewer tables verify too', async () => {
  const hole = { mode: 'bus', day: '2026-03-03', code: 'OBJECT_MISSING' as const };
  expect(await failed(await published(testSeries(), testTables().slice(0, 3), [hole]))).toEqual([]);
  const remainder = { time: [['on', '07:15', 4]], location: [['on', 'Manly', 4]] } as {
    time: ['on', string, number][];
    location: ['on', string, number][];
  };
  const split = { cells: '7', time: '1/2', location: '1/2' };
  const { privacy } = testSeries();
  const tables = testTables().map((table) => ({
    ...table,
    cells: table.cells.map(([tap, time, place, count]): (typeof table.cells)[number] => [tap, time, place, count + 1]),
    remainder,
    margins: remainder,
  }));
  expect(await failed(await published(testSeries({ privacy: { ...privacy, split } }), tables))).toEqual([]);
  expect(await failed(await published(testSeries({ tables: ['time'] })))).toEqual([]);
});

const swap = async (folder: string, a: string, b: string) => {
  await rename(join(folder, a), join(folder, 'swap'));
  await rename(join(folder, b), join(folder, a));
  await rename(join(folder, 'swap'), join(folder, b));
};
const dropRow = (text: string) => text.replace('bus,20260303,on,23:45,Manly,1000\r\n', '');
const flipByte = async (folder: string, name: string) => {
  const bytes = await readFile(join(folder, name));
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(join(folder, name), bytes);
};
const editParquet = async (folder: string, change: (rows: Awaited<ReturnType<typeof readParquet>>) => void) => {
  const rows = await readParquet(join(folder, 'taps.parquet'));
  change(rows);
  await writeParquet(join(folder, 'taps.parquet'), rows);
};
const lower = (text: string) => text.replace('on,07:30,UNKNOWN,9\r\n', 'on,07:30,UNKNOWN,8\r\n');

const LOOK_ALIKES: [name: string, expected: string[], forge: (folder: string) => Promise<void>][] = [
  // by chance, or by somebody who does not repair anything
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
  // by somebody without keys
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
  // by approvers who sign what they should not
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

test.each(LOOK_ALIKES)('look-alike: %s is caught by %j', async (_, expected, forge) => {
  const folder = await copy();
  await forge(folder);
  const report = await verifyPublication(folder);
  expect(report.verified).toBe(false);
  expect((await failed(folder)).sort()).toEqual([...expected].sort());
});

test('every check catches something, so that leaving one out makes a test fail', async () => {
  const { checks } = await verifyPublication(honest);
  const caught = new Set(LOOK_ALIKES.flatMap(([, expected]) => expected));
  expect(checks.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
});

test('C10: a folder that is no publication gives failed checks, and no folder at all a plain error', async () => {
  const empty = join(scratch, 'empty');
  await mkdir(empty);
  const report = await verifyPublication(empty);
  expect(report.verified).toBe(false);
  expect(report.checks.every(({ ok }) => !ok)).toBe(true);
  await expect(verifyPublication(join(scratch, 'nowhere'))).rejects.toMatchObject({ code: 'USAGE' });
});
