import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../activities/public/audit.ts';
import { derive } from '../../activities/public/derive.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import { auditInputs, readAudit, readAudits } from '../../services/draws/stage-receipt.ts';
import { dataFiles, requireStaged } from '../../services/release/audited-files.ts';
import { requireDrawn } from '../../services/release/drawn-release.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { TEST_BUILD } from '../support/folder-contexts.ts';
import { drawnKind, RELEASED_KINDS } from '../support/published-kinds.ts';
import { readStagedFiles } from '../support/staged-files.ts';

/** What somebody who writes the release store could make of a staged file; null: takes it away. */
const CHANGES: Readonly<Record<string, (bytes: Buffer) => Buffer | null>> = {
  'one byte changed': (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
  'a blank more': (bytes) => Buffer.concat([bytes, Buffer.from(' ')]),
  'a line more': (bytes) => Buffer.concat([bytes, Buffer.from('exact count of bus was 87\r\n')]),
  'its first key twice': (bytes) =>
    Buffer.from(bytes.toString('latin1').replace(/^\{("[^"]+":)/, '{$1"mine",$1'), 'latin1'),
  'taken away': () => null,
};

const differs = { code: 'COPY_DIFFERS' };

describe.each(RELEASED_KINDS)('%s', (kind) => {
  /** Compares every file in every change; a whole audit, which takes seconds, is made of one file in `oneIn`. */
  const stopsTheAudit = async (oneIn: number) => {
    const { root, context, input } = await drawnKind(kind);
    await derive(context, input);
    const made = await readStagedFiles(context.releaseStore, input, TEST_BUILD);
    expect(made.size).toBeGreaterThan(5);
    const at = (name: string) => join(root, 'release', RELEASE_KEYS.staged(input, TEST_BUILD, name));
    const receipt = RELEASE_KEYS.auditReceipt(input, auditInputs(input, input.seriesDigest));
    const names = [...made.keys()];
    for (const [name, bytes] of made)
      for (const [place, [what, change]] of Object.entries(CHANGES).entries()) {
        const changed = change(bytes);
        if (changed?.equals(bytes)) continue; // what is no JSON has no key
        await (changed ? writeFile(at(name), changed) : rm(at(name)));
        const compared = requireStaged(context, input, made);
        await expect(compared, `${name}: ${what}`).rejects.toMatchObject(differs);
        if (names.indexOf(name) % oneIn === 0 && (names.indexOf(name) / oneIn) % 5 === place)
          await expect(audit(context, input)).rejects.toMatchObject(differs);
        await writeFile(at(name), bytes);
      }
    await writeFile(at('days.csv'), 'day,count\r\n2026-03-02,87\r\n');
    await expect(audit(context, input)).rejects.toMatchObject(differs);
    await rm(at('days.csv'));
    expect(await context.releaseStore.head(receipt)).toBeNull();
    expect(await audit(context, input)).not.toMatchObject({ verdict: 'fail' });
    // And so is everything that the audit wrote.
    const [, ...lasting] = Object.values(CHANGES).slice(0, 3);
    const written = [...(await readStagedFiles(context.releaseStore, input, TEST_BUILD))].filter(
      ([name]) => !made.has(name),
    );
    for (const [place, [name, bytes]] of written.entries()) {
      if (place % oneIn > 0) continue;
      await writeFile(at(name), lasting[place % lasting.length]!(bytes)!);
      await expect(audit(context, input), name).rejects.toMatchObject(differs);
      await rm(at(name));
    }
    await audit(context, input);
    for (const [name, bytes] of written) expect([name, (await readFile(at(name))).equals(bytes)]).toEqual([name, true]);
    await writeFile(at('notes.txt'), 'n');
    await expect(audit(context, input)).rejects.toMatchObject(differs);
  };
  const stops = 'C15: every staged file is made again: whatever is changed, taken away or added stops the audit';
  test(`${stops}, and no verdict is signed`, () => stopsTheAudit(6));
  test(`${stops}, of each file by itself`, { tags: 'soak' }, () => stopsTheAudit(1));

  /** The stages are common: one kind shows them. */
  const ofTaps = { tags: kind === 'taps' ? [] : ['soak'] };

  test(
    'C15: another build stages anew, whatever lies under the build before, and both have the same bytes',
    ofTaps,
    async () => {
      const { root, context, input } = await drawnKind(kind);
      await derive(context, input);
      const [name] = [...(await readStagedFiles(context.releaseStore, input, TEST_BUILD)).keys()];
      await writeFile(join(root, 'release', RELEASE_KEYS.staged(input, TEST_BUILD, name!)), 'mine');
      const next = { ...context, build: { sources: 'next-build', runtime: async () => null } };
      expect(await audit(next, input)).not.toMatchObject({ verdict: 'fail' });
      const made = await dataFiles(context, input, await readSeries(context.releaseStore, input));
      const staged = await readStagedFiles(context.releaseStore, input, 'next-build');
      for (const [file, bytes] of made) expect([file, staged.get(file)?.equals(bytes)]).toEqual([file, true]);
    },
  );

  test('C15: C18: hosts in other time zones make the same bytes, the texts too', ofTaps, async () => {
    const { TZ } = process.env;
    const made: string[] = [];
    for (const zone of ['Pacific/Kiritimati', 'America/Adak']) {
      process.env.TZ = zone;
      expect(new Date(Date.UTC(2026, 2, 2, 11)).getDate()).toBe(zone === 'America/Adak' ? 2 : 3);
      const { context, input } = await drawnKind(kind);
      await derive(context, input);
      await audit(context, input);
      const staged = new Map(await readStagedFiles(context.releaseStore, input, TEST_BUILD));
      staged.delete(FILES.manifest); // it names the charge, which is random
      made.push([...staged].map(([name, bytes]) => `${sha256(bytes)}  ${name}`).join('\n'));
    }
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
    expect(made[0]).toBe(made[1]);
  });

  test('C15: a verdict of other inputs neither counts nor takes the place', async () => {
    const { context, input } = await drawnKind(kind);
    await derive(context, input);
    const other = auditInputs(
      { draws: input.draws, holes: [{ part: 'x', day: '2026-03-02', code: 'OBJECT_MISSING' }] },
      input.seriesDigest,
    );
    const own = auditInputs(input, input.seriesDigest);
    expect(auditInputs({ ...input, draws: input.draws.toReversed() }, input.seriesDigest)).toBe(own);
    for (const one of [
      other,
      auditInputs(input, 'ab'.repeat(32)),
      auditInputs({ ...input, draws: [] }, input.seriesDigest),
    ])
      expect(one).not.toBe(own);
    const first = await audit(context, input);
    const receipt = await readFile(
      join(context.releaseStore.location.replace('folder:', ''), RELEASE_KEYS.auditReceipt(input, own)),
    );
    // The true receipt, put where that of other inputs would be.
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.auditReceipt(input, other), receipt);
    expect(await audit(context, input)).toEqual(first);
    const { grounds } = await requireDrawn(context, input);
    await expect(readAudit(grounds, input, other)).rejects.toMatchObject(differs);
    expect(await readAudits(grounds, input)).toHaveLength(1);
  });
});
