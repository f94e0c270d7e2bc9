import type { Decision } from '../../contracts/decision.ts';
import { plainLine } from '../../core/text/plain-text.ts';
import { readStatement } from './decision-statement.ts';

/**
 * What a person signs, in words: made from the bytes that are signed, and from nothing else. Every member of the
 * statement is in them, so that two statements that differ never read the same. Throws SIGNATURE_INVALID when the bytes
 * are no decision.
 *
 * @contract C16
 */
export function decisionWords(statement: Uint8Array): string[] {
  const { subject: manifests, predicate } = readStatement(statement);
  const { subject, gate, decision, reason, sentence, acknowledged, trust, ledger, required, elsewhere, after } =
    predicate;
  return [
    `${quote(subject)} ${DOES[decision]} ${gate === 'publication' ? 'before publication' : 'as a retraction of what is public'}:`,
    ...manifests.map(
      ({ digest }, at) => `  ${predicate.releases[at]}, by the manifest with the SHA-256 ${digest.sha256}`,
    ),
    `Public reason: ${reason}.`,
    ...(sentence === undefined ? [] : [`Everybody reads, for ever: ${quote(sentence)}`]),
    acknowledged.length === 0
      ? 'Points of the audit that are accepted: none.'
      : `Points of the audit that are accepted: ${acknowledged.map(quote).join(', ')}.`,
    `It was ${predicate.basis}.`,
    `It goes by version ${trust.number} of the trust file (${trust.digest}) and entry ${ledger.sequence} of the ledger (${ledger.digest}).`,
    `It asks for at least ${required} ${required === 1 ? 'person' : 'people'}, ${elsewhere} of them elsewhere than at one host of pages.`,
    ...(elsewhere > 0 ? [] : [ONE_HOST]),
    after.length === 0
      ? 'Nobody withdrew or reopened this gate before.'
      : `It knows that this gate was withdrawn or reopened before: ${after.join(', ')}.`,
  ];
}

const ONE_HOST =
  'No approval has to be made elsewhere: if it is signed in a browser, it rests on the host of that page, which may show one statement and have another signed.';

/** In quotation marks that the text cannot end by itself. */
const quote = (text: string): string => plainLine(JSON.stringify(text));

const DOES: Readonly<Record<Decision['predicate']['decision'], string>> = {
  approve: 'approves that this becomes public,',
  reject: 'refuses this,',
  retract: 'takes this back for everybody, for ever,',
  withdraw: 'withdraws this,',
  reopen: 'offers this again after its time has passed,',
};
