import type { Mutant } from './mutant.ts';

const HOLES = 'holes.test.ts';
const CORRECTIONS = 'corrections.test.ts';
const VERIFY = 'verify-publication.test.ts';

/**
 * Holes that are not holes, corrections different from those ordered, and tips from before a charge: each defence is
 * taken out.
 */
export const HOLE_MUTANTS: Mutant[] = [
  {
    id: 'invented-hole-taken',
    bug: 'A partition is left out as a hole because a manifest says so.',
    clause: 'C16',
    edits: [
      {
        in: 'requireAudited',
        from: "auditInputs(outcomesOf(receipts.partitions), '') !== auditInputs(outcomesOf(partitions), '')",
        to: 'receipts.partitions.length < partitions.length',
      },
    ],
    killer: { file: 'forged-audit.test.ts', test: 'a hole and a table of nobody are refused' },
  },
  {
    id: 'hole-of-what-is-asked',
    bug: 'The private worker makes a hole of whatever it is asked to, though no object is at fault.',
    clause: 'C16',
    edits: [
      { in: 'codeFor', from: 'if (code) return code;', to: "if (code || path) return code ?? 'OBJECT_MISSING';" },
    ],
    killer: { file: HOLES, test: 'no partition is abandoned that no object holds back' },
  },
  {
    id: 'hole-after-a-draw-began',
    bug: 'A partition is abandoned after its draw record was written: a draw of it may exist.',
    clause: 'C16',
    edits: [
      {
        in: 'codeFor',
        from: 'if (bytes || (await privateStore.head(PRIVATE_KEYS.draw(run, partition)))) throw mayBeDrawn(partition);',
        to: 'if (bytes) throw mayBeDrawn(partition);',
      },
    ],
    killer: { file: HOLES, test: 'no partition is abandoned that no object holds back' },
  },
  {
    id: 'hole-beside-a-draw',
    bug: 'A hole is signed although the draw was first.',
    clause: 'C16',
    edits: [
      {
        in: 'abandon',
        from: 'if (!object.equals(bytes)) throw mayBeDrawn(hole);',
        to: 'if (object.length === 0) throw mayBeDrawn(hole);',
      },
    ],
    killer: { file: HOLES, test: 'exclude each other: the table is first' },
  },
  {
    id: 'draw-beside-a-hole',
    bug: 'What lies in the place of the table is copied and signed as a draw, though it is a hole.',
    clause: 'C16',
    edits: [
      {
        in: 'requireTable',
        from: 'if (codeOfHole(bytes, input, partition) === null) return;',
        to: 'if (codeOfHole(bytes, input, partition) !== undefined) return;',
      },
    ],
    killer: { file: HOLES, test: 'exclude each other: the hole is first' },
  },
  {
    id: 'older-round-abandoned',
    bug: 'A partition is abandoned for what an older round found, after its object has come.',
    clause: 'C16',
    edits: [
      {
        in: 'newestInventory',
        from: 'Math.max(...rounds)',
        to: 'Math.min(...rounds)',
      },
    ],
    killer: { file: HOLES, test: 'is not made once the object has come' },
  },
  {
    id: 'counted-and-abandoned',
    bug: 'A fault of an attempt that failed makes a hole of a partition that the next attempt has counted.',
    clause: 'C6',
    edits: [
      {
        in: 'readFaults',
        from: 'if (partition && !(await privateStore.head(PRIVATE_KEYS.cells(run, round, partition)))) faults.push(fault);',
        to: 'if (partition) faults.push(fault);',
      },
    ],
    killer: { file: HOLES, test: 'an attempt that failed and one that counted' },
  },
  {
    id: 'fault-forgotten-by-a-retry',
    bug: 'A retry of other partitions forgets what counting found, so that a partition can neither be drawn nor abandoned.',
    clause: 'C6',
    edits: [
      {
        in: 'pinAgain',
        from: 'const oldFaults = [...before.faults, ...(await readFaults(context, input, round))];',
        to: 'const oldFaults = [...before.faults];',
      },
    ],
    killer: { file: HOLES, test: 'an object that was replaced after its pin' },
  },
  {
    id: 'hole-of-the-workflow-alone',
    bug: 'The workflow marks a partition as a hole, and the private worker knows nothing of it.',
    clause: 'C16',
    edits: [
      {
        in: 'abandon',
        from: 'const holes = await privateStages.abandon({ ...progress.run, partitions });',
        to: "const holes = partitions.map((one) => ({ ...one, code: 'OBJECT_UNREADABLE' as const }));",
      },
    ],
    killer: {
      file: 'release.test.ts',
      test: 'one retries and one abandons a partition at once: it is a hole',
    },
  },
  {
    id: 'correction-of-another-version',
    bug: 'An order to correct one version allows the correction of another, or for another reason.',
    clause: 'C13',
    edits: [
      {
        in: 'allows',
        from: 'return isKnown && correctionText(request.correction) === correctionText(order.correction);',
        to: 'return isKnown;',
      },
    ],
    killer: { file: CORRECTIONS, test: 'another version, another reason, or none is not charged' },
  },
  {
    id: 'correction-of-the-caller',
    bug: 'What a release corrects, and why, is what the caller says, and not what was ordered and charged.',
    clause: 'C13',
    edits: [
      {
        in: 'requireReceipts',
        from: 'own?.release !== releasePath(release) || correctionText(own.correction) !== correctionText(release.correction)',
        to: 'own?.release !== releasePath(release)',
      },
    ],
    killer: { file: CORRECTIONS, test: 'derive takes no other version or reason' },
  },
  {
    id: 'redrawn-carried-from-before',
    bug: 'A correction carries over what the corrected version has drawn anew, as it was before.',
    clause: 'C13',
    edits: [
      {
        in: 'requireReceipt',
        from: 'canonicalJson(receipt) !== canonicalJson(receiptOf(reserve, seriesDigest, partition, receipt))',
        to: "canonicalJson(receipt) !== canonicalJson(receiptOf(reserve, seriesDigest, partition, receipt)) && !receipt.release.endsWith('v1')",
      },
    ],
    killer: { file: CORRECTIONS, test: 'only what the corrected version shows is carried over' },
  },
  {
    id: 'receipts-unread-by-readers',
    bug: 'A reader takes tables and holes that the private worker has not signed, when publisher and approvers have.',
    clause: 'C16',
    edits: [
      {
        in: 'checkReceipts',
        from: 'canonicalJson(receipt) === canonicalJson(due)',
        to: 'canonicalJson(due).length > 0',
      },
    ],
    killer: { file: VERIFY, test: 'look-alike: a hole instead of a draw' },
  },
  {
    id: 'tip-before-the-charge',
    bug: 'A publication names a tip of the ledger from before its charge, and so keys that were retired since.',
    clause: 'C16',
    edits: [{ in: 'checkReceipts', from: 'sequence <= ledger.sequence', to: 'sequence >= ledger.sequence' }],
    killer: { file: VERIFY, test: 'look-alike: a tip of the ledger from before the charge' },
  },
  {
    id: 'receipt-of-a-retired-key-refused',
    bug: 'After the ledger key was changed a retry takes its own receipts for those of somebody else.',
    clause: 'C11',
    edits: [
      {
        in: 'putCopy',
        from: 'if (before.equals(bytes) || isSame(before)) return;',
        to: 'if (before.equals(bytes)) return;',
      },
    ],
    killer: { file: HOLES, test: 'a receipt of the key before is the same receipt' },
  },
];
