import type { Mutant } from './mutant.ts';

const AUDITED = 'activities/public/audited.test.ts';
const MADE_AGAIN = 'test/every-kind/made-again.test.ts';
const SHOWN = 'client/release/audited-copy.test.ts';

/** Defences of docs/security.md against who answers for stages and stages files of their own: each is taken out. */
export const AUDITED_MUTANTS: Mutant[] = [
  {
    id: 'staged-page-shown-unread',
    bug: 'People are shown, and sign, what lies in the release store, whoever has written it there.',
    clause: 'C16',
    edits: [
      {
        file: 'services/publication/audited-release.ts',
        from: '  const bytes = await readWithDigest(store, manifest, name, digest);',
        to: "  const { readBytesIfPresent } = await import('../stores/json-objects.ts');\n  const { RELEASE_KEYS } = await import('../../contracts/names.ts');\n  const bytes = await readBytesIfPresent(store, RELEASE_KEYS.staged(manifest, manifest.build.sources, name));",
      },
    ],
    killer: { file: SHOWN, test: 'is refused by name when audit.html' },
    quick: true,
  },
  {
    id: 'approved-without-its-files',
    bug: 'Somebody approves a release whose staged files are not those that were audited.',
    clause: 'C16',
    edits: [
      {
        file: 'client/release/decision-basis.ts',
        from: '  await auditedFiles(reader.releaseStore, audited);\n',
        to: "  if (release.series === '') await auditedFiles(reader.releaseStore, audited);\n",
      },
    ],
    killer: { file: SHOWN, test: 'is refused by name when statement.md' },
  },
  {
    id: 'unaudited-manifest-published',
    bug: 'A manifest that nobody has audited counts as audited where people sign, and for doctor.',
    clause: 'C16',
    edits: [
      {
        file: 'services/draws/stage-receipt.ts',
        from: '  if (audits.some(({ manifestBytes }) => sha256(manifestBytes) === manifestDigest)) return;',
        to: '  if (audits.length < 2 || sha256(audits[0]!.manifestBytes) === manifestDigest) return;',
      },
    ],
    killer: { file: 'client/tampering/tampering.test.ts', test: 'an audit whose receipt was taken away' },
  },
  {
    id: 'audit-receipt-of-anybody',
    bug: 'The receipt of an audit is taken whoever has signed it.',
    clause: 'C16',
    edits: [
      {
        file: 'services/draws/stage-receipt.ts',
        from: 'if (signingKeys(envelope, keys).size === 0)',
        to: 'if (signingKeys(envelope, keys).size > keys.length)',
      },
    ],
    killer: { file: AUDITED, test: 'with a receipt of a stranger' },
  },
  {
    id: 'planted-data-audited',
    bug: 'Files that somebody has staged before derive stay, and nobody compares them with what the draws give.',
    clause: 'C15',
    edits: [
      {
        file: 'services/release/audited-files.ts',
        from: '    if (!(await readBytesIfPresent(releaseStore, keyOf(name)))?.equals(bytes)) throw otherStaged(name);',
        to: '    if (bytes.length < 0 && !(await readBytesIfPresent(releaseStore, keyOf(name)))) throw otherStaged(name);',
      },
    ],
    killer: { file: MADE_AGAIN, test: 'every staged file is made again' },
  },
  {
    id: 'stray-file-staged',
    bug: 'A file that no derivation made may lie among those that are audited.',
    clause: 'C15',
    edits: [
      {
        file: 'services/release/audited-files.ts',
        from: 'if (stray !== undefined) throw otherStaged(stray);',
        to: "if (stray === '') throw otherStaged(stray);",
      },
    ],
    killer: { file: MADE_AGAIN, test: 'every staged file is made again' },
  },
  {
    id: 'verdict-of-other-inputs',
    bug: 'A verdict on other draws or holes counts, or takes the place of the one on these.',
    clause: 'C15',
    edits: [
      {
        file: 'services/draws/stage-receipt.ts',
        from: 'holes: holes.map(',
        to: 'holes: holes.slice(holes.length).map(',
      },
    ],
    killer: { file: MADE_AGAIN, test: 'a verdict of other inputs neither counts' },
  },
  {
    id: 'planted-page-stands',
    bug: 'A statement that somebody has staged before the audit is published as ours.',
    clause: 'C15',
    edits: [
      {
        file: 'services/release/audited-files.ts',
        from: 'if (!stored || sha256(stored) !== listed) throw otherStaged(name);',
        to: 'if (!stored) throw otherStaged(name);',
      },
    ],
    killer: { file: AUDITED, test: 'a statement.md that somebody else wrote' },
  },
  {
    id: 'shadow-of-anybody',
    bug: 'Whoever answers in the place of the private worker hides a fault of the mechanism.',
    clause: 'C15',
    edits: [
      {
        file: 'activities/public/audit.ts',
        from: '  await requireShadow(releaseStore, believed, input, input.shadow);\n',
        to: '  if (input.draws.length < 0) await requireShadow(releaseStore, believed, input, input.shadow);\n',
      },
    ],
    killer: { file: AUDITED, test: 'that others answer are not taken' },
  },
  {
    id: 'shadow-tried-until-it-pleases',
    bug: 'Each call of the shadow run gives other tallies, so that somebody can wait for those that pass.',
    clause: 'C15',
    edits: [
      {
        file: 'activities/private/shadow.ts',
        from: '(await readBytesIfPresent(privateStore, key)) ??',
        to: "(await readBytesIfPresent(privateStore, key + '.other')) ??",
      },
      {
        file: 'activities/private/shadow.ts',
        from: '(await putOnce(privateStore, key, jsonBytes(await kind.shadow(world(), series))))',
        to: '(await putOnce(privateStore, key + Math.random(), jsonBytes(await kind.shadow(world(), series))))',
      },
    ],
    killer: { file: 'kinds/taps/private/shadow.test.ts', test: 'its first tallies are those of the release' },
  },
  {
    id: 'missing-number-of-rejects-passes',
    bug: 'Whoever takes the noisy numbers of rejects out of a publication is under every limit.',
    clause: 'C5',
    edits: [{ file: 'counts/audit/checks/rejects.ts', from: 'noisy.get(name) ?? null', to: 'noisy.get(name) ?? 0' }],
    killer: { file: 'counts/audit/checks/rejects.test.ts', test: 'a number that is not there fails' },
  },
  {
    id: 'partition-left-out-unseen',
    bug: 'A partition that the audit is not told of is missing in the publication, and nothing says so.',
    clause: 'C4',
    edits: [
      {
        file: 'services/draws/draw-receipt.ts',
        from: "if (window && named.join(' ') !== window.map(partitionPath).sort().join(' '))",
        to: 'if (window && named.length > window.length)',
      },
    ],
    killer: { file: AUDITED, test: 'a partition that the audit is not told of' },
  },
  {
    id: 'bucket-believed',
    bug: 'A staged file is published as it lies in the bucket, whatever the manifest says of it.',
    clause: 'C16',
    edits: [
      {
        file: 'services/publication/staged-files.ts',
        from: 'if (bytes && sha256(bytes) === digest) return bytes;',
        to: 'if (bytes) return bytes;',
      },
      {
        file: 'activities/public/publish.ts',
        from: 'if (bytes?.length !== listed?.bytes || !bytes) throw changed(name);',
        to: 'if (!bytes) throw changed(name);',
      },
    ],
    killer: { file: 'test/attack/release-store-s3.test.ts', test: 'what is replaced, deleted or set back' },
  },
  {
    id: 'impostor-believed',
    bug: 'Tables are taken from whoever answers in the place of the private worker.',
    clause: 'C11',
    edits: [
      {
        file: 'activities/public/derive.ts',
        from: '  await requireDrawn(context, input, series);\n',
        to: '',
      },
    ],
    killer: { file: 'test/attack/impostor.test.ts', test: 'invented answers to every stage' },
  },
];
