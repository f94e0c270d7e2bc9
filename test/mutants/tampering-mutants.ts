import type { Mutant } from './mutant.ts';

const COMPARED = 'compared-ledger.test.ts';
const TAMPERED = 'tampering.test.ts';
const LEDGERS = 'ledger-populations.test.ts';

/** What the doctor and the walk of a ledger see of tampering: each sight is taken out. */
export const TAMPERING_MUTANTS: Mutant[] = [
  {
    id: 'cut-ledger-is-whole',
    bug: 'A ledger that was cut at its end is called whole, though a manifest names a later entry.',
    clause: 'C12',
    edits: [
      { in: 'notHeld', from: 'tip.sequence > length', to: 'tip.sequence < 0' },
      {
        in: 'notHeld',
        from: 'tip !== null && !holdsTip(ledger, tip)',
        to: 'tip !== null && tip.sequence <= length && !holdsTip(ledger, tip)',
      },
    ],
    killer: { file: TAMPERED, test: 'that was cut' },
  },
  {
    id: 'forked-ledger-is-whole',
    bug: 'A ledger that goes on otherwise than a publication says is called whole.',
    clause: 'C12',
    edits: [
      {
        in: 'notHeld',
        from: 'tip !== null && !holdsTip(ledger, tip)',
        to: 'tip !== null && tip.sequence < 0 && !holdsTip(ledger, tip)',
      },
    ],
    killer: { file: LEDGERS, test: 'a chain that is whole and does not hold what a publication names' },
  },
  {
    id: 'mark-not-missed',
    bug: 'Nobody misses the mark of an execution, so that a release can be run again once Temporal has forgotten it.',
    clause: 'C12',
    edits: [
      {
        in: 'tamperFindings',
        from: '!record?.isMarked',
        to: '!record',
      },
    ],
    killer: { file: TAMPERED, test: 'whose mark was taken away' },
  },
  {
    id: 'edited-series-not-seen',
    bug: 'The doctor lists series files and does not read them.',
    clause: 'C11a',
    edits: [
      {
        in: 'seriesFindings',
        from: 'if (pointers.has(key)) continue;',
        to: "if (pointers.has(key) || key !== '') continue;",
      },
    ],
    killer: { file: TAMPERED, test: 'whose file was edited in its place' },
  },
  {
    id: 'planted-decision-not-seen',
    bug: 'The doctor takes a decision of a stranger for one of an approver.',
    clause: 'C16',
    edits: [{ in: 'releaseSentences', from: 'if (!isKnown) $report;', to: "if (!isKnown && digest === '') $report;" }],
    killer: { file: TAMPERED, test: 'that a stranger has planted in the name of an approver' },
  },
  {
    id: 'edited-file-not-seen',
    bug: 'The doctor compares the names of staged files with the manifest, and not their bytes.',
    clause: 'C11',
    edits: [
      {
        in: 'releaseSentences',
        from: '() => loadFile(grounds.releaseStore, audit, name)',
        to: 'async () => staged.includes(name) || audit',
      },
    ],
    killer: { file: TAMPERED, test: 'that was edited' },
  },
  {
    id: 'planted-table-not-seen',
    bug: 'Tables that no ledger has charged lie there, and nobody is told.',
    clause: 'C11',
    edits: [
      {
        in: 'tamperFindings',
        from: 'isWhole && record.tables.size > 0',
        to: '!isWhole && record.tables.size > 0',
      },
    ],
    killer: { file: TAMPERED, test: 'of a release that no ledger has charged' },
  },
  {
    id: 'edited-copy-not-compared',
    bug: 'The custodian’s look at the ledger compares no copy but asks whether one is there.',
    clause: 'C12',
    edits: [
      {
        in: 'compareLedger',
        from: 'if (copy?.equals(await readBytes(privateStore, key))) continue;',
        to: 'if (copy && (await readBytes(privateStore, key)).length > 0) continue;',
      },
    ],
    killer: { file: COMPARED, test: 'a copy that is missing, and one that was edited' },
  },
];
