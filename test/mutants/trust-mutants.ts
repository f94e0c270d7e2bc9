import type { Mutant } from './mutant.ts';

const PUBLISH = 'publish.test.ts';
const DECIDE = 'decide.test.ts';
const VERIFY = 'verify-publication.test.ts';
const CHAIN = 'trust-chain.test.ts';

/** Somebody is believed who should not be. */
export const TRUST_MUTANTS: Mutant[] = [
  {
    id: 'version-signed-by-its-own-roots',
    bug: 'A version of the trust file is checked against the roots that it names itself, so that anybody can write the next one.',
    clause: 'C16',
    edits: [{ in: 'nextVersion', from: '(chain.at(-1) ?? version).roots', to: 'version.roots' }],
    killer: { file: CHAIN, test: 'look-alike: a second version signed by its own roots alone' },
  },
  {
    id: 'pin-not-looked-at',
    bug: 'A worker takes whatever trust file lies there, the pin of its deployment or not.',
    clause: 'C16',
    edits: [{ in: 'trustReader', from: 'if (pin) requirePin(chain, pin);', to: '' }],
    killer: { file: 'trust-file.test.ts', test: 'the reader of a deployment follows the file' },
  },
  {
    id: 'demo-keys-taken',
    bug: 'A worker takes the keys of a trial, which anybody on that computer has.',
    clause: 'C16',
    edits: [{ in: 'trustReader', from: '!allowDemoKeys', to: 'allowDemoKeys === null' }],
    killer: { file: 'trust-file.test.ts', test: 'the reader of a deployment follows the file' },
  },
  {
    id: 'key-of-two-people',
    bug: 'One key stands under two names, so that one person approves twice.',
    clause: 'C16',
    edits: [{ in: 'mistakeOf', from: 'new Set(ids).size < ids.length', to: 'new Set(ids).size < 1' }],
    killer: { file: CHAIN, test: 'a version with an approver with the key of another' },
  },
  {
    id: 'key-of-small-order',
    bug: 'A point of small order is taken for a key: a signature under it holds for texts that nobody signed.',
    clause: 'C16',
    edits: [
      { in: 'isSoundPoint', from: 'y < FIELD && !SMALL_ORDER.has(y) && isOnCurve(y)', to: 'y < FIELD && isOnCurve(y)' },
    ],
    killer: { file: 'curve-point.test.ts', test: 'y = ' },
  },
  {
    id: 'retired-key-believed',
    bug: 'A key that was retired is believed for what came after it.',
    clause: 'C16',
    edits: [
      {
        in: 'isValidAt',
        from: 'sequence >= (interval.from ?? 0) && sequence <= (interval.until ?? Number.MAX_SAFE_INTEGER)',
        to: 'sequence >= (interval.from ?? 0)',
      },
    ],
    killer: { file: DECIDE, test: 'with ada until before' },
  },
  {
    id: 'unnamed-population-believed',
    bug: 'A key that was retired in one population is believed in every other, as if it had never been limited.',
    clause: 'C16',
    edits: [{ in: 'isValidAt', from: 'if (!interval) return false;', to: 'if (!interval) return true;' }],
    killer: { file: 'trusted-keys.test.ts', test: 'C16: a key that is valid' },
  },
  {
    id: 'version-binds-what-was-before',
    bug: 'A version of the trust file binds what was charged up to its tips, so that an older one binds what comes after.',
    clause: 'C16',
    edits: [
      { in: 'bindingVersion', from: 'sequence > tipIn(tips, population)', to: 'sequence <= tipIn(tips, population)' },
    ],
    killer: { file: 'trusted-keys.test.ts', test: 'C16: a version binds what was charged' },
  },
  {
    id: 'head-of-an-ended-key',
    bug: 'The thief of a retired publisher’s key shows an old list of releases for ever.',
    clause: 'C16',
    edits: [
      {
        in: 'checkPublisher',
        from: '!populations.every((population) => isCurrent(key, population))',
        to: 'populations.length === 0',
      },
    ],
    killer: { file: 'verify-series.test.ts', test: 'C16: a head of a key that the newest version ends' },
  },
  {
    id: 'ended-publisher-signs',
    bug: 'A public worker whose key is retired goes on signing heads and attestations that nobody believes.',
    clause: 'C16',
    edits: [
      {
        in: 'requirePublisher',
        from: 'key && isCurrent(key, population) && isValidAt(key, { population, sequence })',
        to: 'key && isValidAt(key, { population, sequence })',
      },
    ],
    killer: { file: 'update-pages.test.ts', test: 'C16: a key that the newest version ends' },
  },
  {
    id: 'time-on-the-word-of-the-publisher',
    bug: 'How many have to approve is what the publication says of its time: who names an older version needs one approver less.',
    clause: 'C16',
    edits: [
      {
        in: 'ensureApprovers',
        from: 'const quorum = Math.max(attestation.required, quorumOfTrust(chain, charge));',
        to: 'const quorum = Math.max(attestation.required, charge.sequence > 0 ? 1 : 2);',
      },
    ],
    killer: { file: VERIFY, test: 'C16: two are required after the tips of the newest version' },
  },
  {
    id: 'charge-of-anybody',
    bug: 'A reader takes the place of a charge in the ledger from whoever wrote it into the attestation.',
    clause: 'C16',
    edits: [
      {
        in: 'chargePlace',
        from: 'findSigners(publisher.reserve, keys).size > 0',
        to: 'findSigners(publisher.reserve, keys).size >= 0',
      },
    ],
    killer: { file: VERIFY, test: 'look-alike: a charge that a publisher signed' },
  },
  {
    id: 'document-from-before-the-charge',
    bug: 'Approvals and attestations may name a tip from before the charge of their release.',
    clause: 'C16',
    edits: [{ in: 'ensureAfter', from: 'ledger.sequence >= sequence', to: 'ledger.sequence > 0' }],
    killer: { file: VERIFY, test: 'look-alike: approvals and an attestation from before the charge' },
  },
  {
    id: 'tombstone-of-the-publisher-alone',
    bug: 'A tombstone retracts whoever decided on it.',
    clause: 'C16',
    edits: [
      {
        in: 'ensureTombstone',
        from: `ensurePublisher(chain, charge, publisher);
  ensureApprovers(chain, publication, charge, approvals);`,
        to: 'ensurePublisher(chain, charge, publisher);',
      },
    ],
    killer: { file: VERIFY, test: 'C16: a tombstone of the publisher with the decision of a stranger' },
  },
  {
    id: 'guess-costs-nothing',
    bug: 'A passphrase is guessed millions of times a second by whoever copies the file of a key.',
    clause: 'C16',
    edits: [{ in: 'SCRYPT', from: 'N: 2 ** 14, r: 8', to: 'N: 2, r: 8' }],
    killer: { file: 'keys.test.ts', test: 'an encrypted key is PKCS#8 under scrypt' },
  },
  {
    id: 'signed-unread',
    bug: 'A root key signs a draft that nobody has read.',
    clause: 'C16',
    edits: [{ in: 'askReader', from: '!isTerminal()', to: 'isTerminal()' }],
    killer: { file: 'trust.test.ts', test: 'a trust file is written' },
  },
  {
    id: 'look-alikes-are-two-people',
    bug: 'A second approver is named as the first one, with a Cyrillic letter in the name.',
    clause: 'C16',
    edits: [{ in: 'lookOf', from: 'LATIN_OF.get(letter) ?? letter', to: 'letter' }],
    killer: { file: CHAIN, test: 'a version with two names that look alike' },
  },
  {
    id: 'retired-without-end',
    bug: 'A retired key goes on in the populations that the command writes down.',
    clause: 'C16',
    edits: [
      {
        in: 'endKey',
        from: '{ ...place, until: Math.min(place.until ?? Infinity, tipOf(name) + more) }',
        to: '{ ...place }',
      },
    ],
    killer: { file: 'trust-draft.test.ts', test: 'C16: the next version names the newest entry' },
  },
  {
    id: 'key-off-the-curve',
    bug: 'Bytes that are no point of the curve are taken for somebody’s key.',
    clause: 'C16',
    edits: [
      {
        in: 'isSoundPoint',
        from: 'y < FIELD && !SMALL_ORDER.has(y) && isOnCurve(y)',
        to: 'y < FIELD && !SMALL_ORDER.has(y)',
      },
    ],
    killer: { file: 'curve-point.test.ts', test: 'a y that belongs to no point is refused' },
  },
  {
    id: 'tip-of-the-past',
    bug: 'A decision may name a tip from before the charge of its release, as the thief of a retired key would.',
    clause: 'C16',
    edits: [
      {
        in: 'judgeSigner',
        from: 'predicate.ledger.sequence < gate.chargedAt || !holdsTip(ledger, predicate.ledger)',
        to: '!holdsTip(ledger, predicate.ledger)',
      },
    ],
    killer: { file: DECIDE, test: 'C16: a tip from before the charge is refused' },
  },
  {
    id: 'series-edited-in-its-place',
    bug: 'A stored series file is believed by its name, so that one that was edited to a greater ε runs.',
    clause: 'C16',
    edits: [
      {
        in: 'rememberedSeries',
        from: 'if (RELEASE_KEYS.series(series.series, sha256(bytes)) === key) return frozen(series);',
        to: 'if (key !== sha256(bytes)) return frozen(series);',
      },
    ],
    killer: { file: 'public/plan.test.ts', test: 'a stored series file that was edited in its place' },
  },
  {
    id: 'receipt-of-anybody',
    bug: 'A privatized table is taken with a receipt that anybody has signed.',
    clause: 'C11',
    edits: [
      {
        in: 'requireReceipt',
        from: 'findSigners(envelope, keys).size === 0',
        to: 'findSigners(envelope, keys).size === 0 && keys.length === 0',
      },
    ],
    killer: { file: PUBLISH, test: 'C11, C16: with a receipt that a stranger signed' },
  },
  {
    id: 'receipt-of-another-table',
    bug: 'The receipt of one table is taken for another.',
    clause: 'C11',
    edits: [
      {
        in: 'requireAudited',
        from: "auditInputs(outcomesOf(receipts.partitions), '') !== auditInputs(outcomesOf(partitions), '')",
        to: 'JSON.stringify(outcomesOf(receipts.partitions).holes) !== JSON.stringify(outcomesOf(partitions).holes)',
      },
    ],
    killer: { file: PUBLISH, test: 'C11, C16: with a receipt of other bytes' },
  },
  {
    id: 'carried-without-receipt',
    bug: 'A correction carries a table over that nobody signed.',
    clause: 'C11',
    edits: [{ in: 'carry', from: 'await requireCarriable(grounds, earlier, draw);', to: '' }],
    killer: { file: 'carry.test.ts', test: 'a table which is not the one of the receipt' },
  },
  {
    id: 'files-looked-at-one-by-one',
    bug: 'Staged files are looked at when they are copied, so that the first ones are public when a later one is found changed.',
    clause: 'C16',
    edits: [
      {
        in: 'publish',
        from: 'for (const { name } of manifest.files) await readStaged(grounds, manifest, name);',
        to: '',
      },
    ],
    killer: { file: PUBLISH, test: 'C11, C16: with another byte in a staged file' },
  },
  {
    id: 'required-of-the-attestation-alone',
    bug: 'How many approvals are needed stands on the word of the publisher, so that one is enough for a publication of two people.',
    clause: 'C16',
    edits: [
      {
        in: 'checkApprovers',
        from: 'Math.max(required, ...approvals.map(({ envelope }) => readDecision(envelope).predicate.required))',
        to: 'required',
      },
    ],
    killer: { file: VERIFY, test: 'one approval under an attestation that asks for one' },
  },
  {
    id: 'strangers-verify',
    bug: 'A reader who names a trust file is not told that the keys of a publication are not in it.',
    clause: 'C16',
    edits: [
      {
        in: 'verifyPublication',
        from: 'const known = trust === null ? [] : trustChecks(trust);',
        to: 'const known = trust === null ? trustChecks([]) : [];',
      },
    ],
    killer: { file: VERIFY, test: "a stranger's whole forgery" },
  },
  {
    id: 'separators-not-counted',
    bug: 'SHA256SUMS may be written in other ways, so that two texts stand for one publication.',
    clause: 'C10',
    edits: [{ in: 'checkChecksums', from: 'text === checksumLines(sums)', to: "text !== ''" }],
    killer: { file: VERIFY, test: 'another separator in the checksums' },
  },
  {
    id: 'terminal-obeys-names',
    bug: 'A name in a publication moves the cursor of whoever verifies it, or turns its text around.',
    clause: 'C16',
    edits: [
      { in: 'UNSHOWN', from: '/[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]/gu', to: '/[\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]/gu' },
    ],
    killer: { file: 'plain-text.test.ts', test: 'no character that a terminal obeys' },
  },
  {
    id: 'ended-key-writes-on',
    bug: 'A private worker signs an entry with a key that has ended, and the ledger is broken for everybody.',
    clause: 'C12',
    edits: [
      {
        in: 'appendToLedger',
        from: 'if (!keys(population, sequence).some((key) => keyIdOfPem(key) === keyIdOfPem(publicKeyOf(privateKey)))) throw keyError(population, sequence);',
        to: '',
      },
    ],
    killer: { file: 'ledger.test.ts', test: 'C12: a key that has ended writes no entry' },
  },
  {
    id: 'old-files-charge',
    bug: 'A private worker charges by a trust file and a policy that are not the newest.',
    clause: 'C12',
    edits: [{ in: 'settleLedger', from: 'await context.requireNewest();', to: '' }],
    killer: { file: 'custodian.test.ts', test: 'a worker whose files are not the newest charges nothing' },
  },
  {
    id: 'lower-policy-goes-on',
    bug: 'A private worker goes on by a lower number of the policy than another one went by.',
    clause: 'C12',
    edits: [{ in: 'settlePolicy', from: 'keys.some((key) => key > own)', to: 'false' }],
    killer: { file: 'policy-file.test.ts', test: 'C12: a worker with a lower number of the policy' },
  },
  {
    id: 'stranger-stops-workers',
    bug: 'Whoever can write the release store stops every worker by a version of the trust file that no root signed.',
    clause: 'C16',
    edits: [{ in: 'requireNewestTrust', from: 'return false', to: 'return true' }],
    killer: { file: 'newer-trust.test.ts', test: 'C16: what a stranger puts there stops nobody' },
  },
  {
    id: 'refused-by-old-files',
    bug: 'A worker with an old trust file calls a ledger broken that another key has signed since.',
    clause: 'C12',
    edits: [{ in: 'runByNewest', from: 'await requireNewest()', to: 'undefined' }],
    killer: { file: 'serve-stages.test.ts', test: 'a refusal by old files is none' },
  },
  {
    id: 'receipt-of-a-stranger',
    bug: 'A receipt that says the right thing is left in place, whoever signed it.',
    clause: 'C11',
    edits: [
      { in: 'putSigned', from: 'findSigners(copy.envelope, ledgerKeys(population, sequence)).size > 0', to: 'true' },
    ],
    killer: { file: 'rotated-receipts.test.ts', test: 'C11: a receipt of an ended key is the same one' },
  },
  {
    id: 'rotation-makes-receipts-differ',
    bug: 'After a change of the ledger’s key every repeated draw finds its own receipt to be somebody else’s.',
    clause: 'C11',
    edits: [
      {
        in: 'putSigned',
        from: 'putCopy(releaseStore, key, jsonBytes(signDocument(receipt, ledgerKey)), isSame)',
        to: 'putCopy(releaseStore, key, jsonBytes(signDocument(receipt, ledgerKey)))',
      },
    ],
    killer: { file: 'rotated-receipts.test.ts', test: 'C11: a receipt of an ended key is the same one' },
  },
  {
    id: 's3-key-for-ever',
    bug: 'A store goes on with the key of S3 that it read first, and fails when that key is removed.',
    clause: 'C11',
    edits: [
      { in: 's3Key', from: 'READ_AGAIN_MS', to: '1e9' },
      { in: 'followKey', from: '!(await isOther(key))', to: 'true' },
    ],
    killer: { file: 's3-credentials.test.ts', test: 'a key in files is the one of requests a second' },
  },
  {
    id: 's3-key-for-a-second',
    bug: 'A key of S3 that is over fails requests until it is read again, although another is in its place.',
    clause: 'C11',
    edits: [{ in: 'followKey', from: '!(await isOther(key))', to: 'true' }],
    killer: { file: 's3-credentials.test.ts', test: 'a key that is over right after it was replaced' },
  },
];
