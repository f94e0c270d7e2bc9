import { OpalineError } from '../../contracts/errors.ts';
import type { Numbered } from '../../contracts/formats/common.ts';
import {
  HEAD_FILE_FORMAT,
  HEAD_FORMAT,
  type HeadFile,
  type HeadStatement,
  headFileSchema,
  headStatementSchema,
} from '../../contracts/formats/head.ts';
import { releasePath } from '../../contracts/names.ts';
import { isSignedBy } from '../signing/envelope.ts';
import { publicKeyOf } from '../signing/keys.ts';
import { readDocument, signDocument } from '../signing/signed-document.ts';
import { jsonOrNull } from '../stores/json-objects.ts';
import { newestSummary } from './index-page.ts';
import { generationOfSeries } from './series-pages.ts';
import type { SeriesRelease } from './series-release.ts';

/** What the head of a series says of its publications. */
export const headOf = (series: string, releases: readonly SeriesRelease[], trust: Numbered): HeadStatement => ({
  format: HEAD_FORMAT,
  series,
  generation: generationOfSeries(releases),
  releases: releases.map(({ release, manifestDigest, retraction }) => ({
    release: releasePath(release),
    manifest: manifestDigest,
    tombstone: retraction?.digest ?? null,
  })),
  nextExpected: newestSummary(releases)?.nextExpected ?? null,
  trust,
});

/** head.json: the head under the publisher's key (PKCS#8 PEM). Equal heads and keys give equal bytes. */
export const headFile = (head: HeadStatement, privateKey: string): HeadFile =>
  headFileSchema.parse({
    format: HEAD_FILE_FORMAT,
    generation: head.generation,
    publisherKey: publicKeyOf(privateKey),
    statement: signDocument(head, privateKey),
  });

/**
 * The head in the bytes of head.json, with the key that signed it. Whose key it is, the caller has to ask a trust file.
 * Throws SIGNATURE_INVALID or VERIFICATION_FAILED.
 */
export function readHead(bytes: Uint8Array): { head: HeadStatement; publisherKey: string } {
  const outcome = headFileSchema.safeParse(jsonOrNull(Buffer.from(bytes).toString('utf8')));
  if (!outcome.success) throw new OpalineError('VERIFICATION_FAILED', 'head.json is not of its form.');
  const { publisherKey, statement, generation } = outcome.data;
  const head = readDocument(statement, headStatementSchema, 'head of a series');
  if (!isSignedBy(statement, publisherKey))
    throw new OpalineError('SIGNATURE_INVALID', 'The signature of head.json is not of the key that is named for it.');
  if (head.generation !== generation)
    throw new OpalineError('VERIFICATION_FAILED', 'head.json names another generation than was signed.');
  return { head, publisherKey };
}
