import type { Mutant } from './mutant.ts';

const AUDITED = 'forged-audit.test.ts';
const MADE_AGAIN = 'made-again.test.ts';
const SHOWN = 'audited-copy.test.ts';

/** Defences of docs/security.md against who answers for stages and stages files of their own: each is taken out. */
export const AUDITED_MUTANTS: Mutant[] = [
  {
    id: 'staged-page-shown-unread',
    bug: 'People are shown, and sign, what lies in the release store, whoever has written it there.',
    clause: 'C16',
    edits: [
      {
        in: 'loadFile',
        from: 'const bytes = await readWithDigest(store, manifest, name, digest);',
        to: 'const bytes = await readBytesIfPresent(store, RELEASE_KEYS.staged(manifest, manifest.build.sources, name));',
      },
    ],
    killer: { file: SHOWN, test: 'is refused by name when audit.html' },
  },
  {
    id: 'approved-without-its-files',
    bug: 'Somebody approves a release whose staged files are not those that were audited.',
    clause: 'C16',
    edits: [
      {
        in: 'requireApprovable',
        from: 'await loadFiles(reader.releaseStore, audit);',
        to: "if (release.series === '') await loadFiles(reader.releaseStore, audit);",
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
        in: 'requireAuditReceipt',
        from: 'if (audits.some(({ manifestBytes }) => sha256(manifestBytes) === manifestDigest)) return;',
        to: 'if (audits.length < 2 || sha256(audits[0]!.manifestBytes) === manifestDigest) return;',
      },
    ],
    killer: { file: 'tampering.test.ts', test: 'an audit whose receipt was taken away' },
  },
  {
    id: 'audit-receipt-of-anybody',
    bug: 'The receipt of an audit is taken whoever has signed it.',
    clause: 'C16',
    edits: [
      {
        in: 'auditIn',
        from: 'findSigners(envelope, keys).size === 0',
        to: 'findSigners(envelope, keys).size > keys.length',
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
        in: 'requireStaged',
        from: 'if (!(await readBytesIfPresent(releaseStore, keyOf(name)))?.equals(bytes)) throw otherStaged(name);',
        to: 'if (bytes.length < 0 && !(await readBytesIfPresent(releaseStore, keyOf(name)))) throw otherStaged(name);',
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
        in: 'refuseStrays',
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
        in: 'auditInputs',
        from: 'holes.map($line)',
        to: 'holes.slice(holes.length).map($line)',
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
        in: 'putAudited',
        from: 'if (!copy || !((isListed && copy.equals(bytes)) || sha256(copy) === listed)) throw otherStaged(name);',
        to: 'if (!copy) throw otherStaged(name);',
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
        in: 'requireShadows',
        from: 'findSigners(envelope, keysValidAt(newestVersion(trust).ledgers, { population, sequence })).size === 0',
        to: 'envelope.signatures.length === 0',
      },
    ],
    killer: { file: AUDITED, test: 'that others answer are not taken' },
  },
  {
    id: 'build-that-was-never-tried',
    bug: 'A build draws of which nobody has ever tried the sampler: its shadow run is passed over when there is none.',
    clause: 'C15',
    edits: [
      {
        in: 'requireShadows',
        from: "if (!object) throw refuse('a draw is of this build, and it has no receipt of the private worker');",
        to: 'if (!object) continue;',
      },
    ],
    killer: { file: AUDITED, test: 'a draw of a build without a shadow run is refused' },
  },
  {
    id: 'shadow-tried-until-it-pleases',
    bug: 'Each call of the shadow run gives other tallies, so that somebody can wait for those that pass.',
    clause: 'C15',
    edits: [
      {
        in: 'shadow',
        from: '(await privateStore.head(key)) === null',
        to: 'key.length > 0',
      },
      {
        in: 'shadow',
        from: 'await putOnce(privateStore, key, jsonBytes(await kind.shadow(world(), series)));',
        to: "await putOnce(privateStore, key.slice(0, -9) + String(Math.random()).slice(2, 6) + '.json', jsonBytes(await kind.shadow(world(), series)));",
      },
    ],
    killer: { file: 'taps/shadow.test.ts', test: 'its first tallies are those of the release' },
  },
  {
    id: 'missing-number-of-rejects-passes',
    bug: 'Whoever takes the noisy numbers of rejects out of a publication is under every limit.',
    clause: 'C5',
    edits: [{ in: 'checkRejects', from: 'noisy.get(name) ?? null', to: 'noisy.get(name) ?? 0' }],
    killer: { file: 'rejects.test.ts', test: 'a number that is not there fails' },
  },
  {
    id: 'partition-left-out-unseen',
    bug: 'A partition that the manifest leaves out is missing in the publication, and nothing says so.',
    clause: 'C4',
    edits: [
      {
        in: 'requireAudited',
        from: "paths.join(' ') !== window.map(partitionPath).sort().join(' ')",
        to: 'paths.length > window.length',
      },
    ],
    killer: { file: AUDITED, test: 'a partition that the manifest leaves out' },
  },
  {
    id: 'bucket-believed',
    bug: 'A staged file is published as it lies in the bucket, whatever the manifest says of it.',
    clause: 'C16',
    edits: [
      {
        in: 'readWithDigest',
        from: 'if (bytes && sha256(bytes) === digest) return bytes;',
        to: 'if (bytes) return bytes;',
      },
      {
        in: 'readStaged',
        from: 'if (bytes?.length !== entry?.bytes || !bytes) throw fileError(name);',
        to: 'if (!bytes) throw fileError(name);',
      },
    ],
    killer: { file: 'release-store-s3.test.ts', test: 'what is replaced, deleted or set back' },
  },
  {
    id: 'impostor-believed',
    bug: 'Tables are taken from whoever answers in the place of the private worker.',
    clause: 'C11',
    edits: [
      {
        in: 'derive',
        from: 'await requireDrawn(context, input)',
        to: 'await requireDrawn(context, input).catch(() => ({ series: null as never, release: null as never }))',
      },
      {
        in: 'derive',
        from: 'await dataFiles(context, release, series)',
        to: 'release ? await dataFiles(context, release, series) : new Map()',
      },
    ],
    killer: { file: 'impostor.test.ts', test: 'invented answers to every stage' },
  },
  {
    id: 'history-of-strangers',
    bug: 'A publication that nobody signed, or that is gone, is left out of the history of totals in silence.',
    clause: 'C16',
    edits: [{ in: 'earlierPublications', from: 'recent.filter((_, at) => !outcomes[at])', to: '[]' }],
    killer: { file: 'past.test.ts', test: 'C16: what was planted, damaged, removed' },
  },
  {
    id: 'history-rolled-back',
    bug: 'What the audit of a later publication names, and nobody finds any more, is not missed.',
    clause: 'C16',
    edits: [{ in: 'readPast', from: 'there.get(path) !== manifest', to: 'false' }],
    killer: { file: 'past.test.ts', test: 'C16: what was planted, damaged, removed' },
  },
  {
    id: 'totals-not-compared',
    bug: 'Totals of days can say other numbers than the rows that they are sums of.',
    clause: 'C9',
    edits: [
      {
        in: 'COMPARISONS',
        from: 'canonicalJson(subject.totals) === canonicalJson(totalsOf(subject))',
        to: 'subject.totals.length === totalsOf(subject).length',
      },
    ],
    killer: { file: 'verify-publication.test.ts', test: 'look-alike: totals with a tap moved' },
  },
  {
    id: 'odd-days-are-usual',
    bug: 'Declared holidays count as usual days of their weekday.',
    clause: 'C15',
    edits: [
      {
        in: 'judgeTotals',
        from: '{ weekday: weekdayIndex(total.day), isUnusual: isUnusual(unusual, total) }',
        to: '{ weekday: weekdayIndex(total.day), isUnusual: false }',
      },
    ],
    killer: { file: 'warnings.test.ts', test: 'declared days are not judged' },
  },
  {
    id: 'spread-of-one-day',
    bug: 'The centre of a weekday is taken as known, however few its days are, so that honest weeks are named.',
    clause: 'C15',
    edits: [{ in: 'usualRanges', from: 'Math.sqrt(1 + Math.PI / (2 * days))', to: '1' }],
    killer: { file: 'usual-range.test.ts', test: 'the critical value is that of the bound' },
  },
];
