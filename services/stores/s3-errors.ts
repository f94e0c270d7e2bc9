import { z } from 'zod';
import { type ErrorCode, OpalineError } from '../../contracts/errors.ts';
import { isCertificateRefused } from '../refused-certificate.ts';

/** The HTTP status of an error of the SDK; undefined when no answer came. */
export const httpStatus = (error: unknown): number | undefined =>
  answerSchema.safeParse(error).data?.$metadata.httpStatusCode;

const answerSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) });

/** Did the server say that the object is not there? (A bucket that is not there answers 404 too.) */
export const isMissing = (error: unknown): boolean =>
  httpStatus(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket');

/** Did the condition of a write fail? 412, or 404 for If-Match on a key that is not there. */
export const isConditionFailed = (error: unknown): boolean => httpStatus(error) === 412 || isMissing(error);

/** Two conditional writes met: the loser is asked to try again. */
export const isConflict = (error: unknown): boolean => httpStatus(error) === 409;

/** Was the request refused because the clock that signed it is not the server's? An answer to HEAD cannot say so. */
export const isTooSkewed = (error: unknown): boolean => error instanceof Error && error.name === 'RequestTimeTooSkewed';

/** What S3 says of a key that is not its own, or is over. */
const OTHER_KEY = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken']);

/**
 * The error of an S3 store as others may see it. The SDK's texts can hold request headers, and so credentials: the
 * status is all that is kept of them. What an answer of 4xx complains of, a person has to mend; all else may pass, and so
 * may a key that is not the server's while keys are changed (`mayChange`).
 */
export function s3Error(error: unknown, location: string, mayChange = false): OpalineError {
  if (error instanceof OpalineError) return error;
  const status = httpStatus(error);
  const { name = '', message = '' } = error instanceof Error ? error : {};
  const tell = (code: ErrorCode, sentence: string): OpalineError => new OpalineError(code, sentence);
  if (isMissing(error)) return tell('OBJECT_MISSING', `An object is not in the store ${location}.`);
  if (name === 'CredentialsProviderError')
    return tell('CONFIGURATION_INVALID', `There are no credentials for the store ${location}; configure them.`);
  if (message === 'Region is missing')
    return tell(
      'CONFIGURATION_INVALID',
      `Nothing says the region of the store ${location}; set AWS_REGION, or \`region\` in the deployment file.`,
    );
  // A clock can be set right, and the SDK learns the server's from the answer: a later attempt may be good.
  if (isTooSkewed(error))
    return tell('STORE_UNAVAILABLE', `The clock of this machine is not that of the store ${location}; set it right.`);
  if (mayChange && OTHER_KEY.has(name))
    return tell(
      'STORE_UNAVAILABLE',
      `The store ${location} does not know the key, or it is over; give this host the one that counts now.`,
    );
  if (isCertificateRefused(error))
    return tell(
      'STORE_UNAVAILABLE',
      `The server of the store ${location} answers, but its certificate is refused here; name its authorities in \`caFile\`, and compare its name and days.`,
    );
  if (status !== undefined && status >= 400 && status < 500 && ![408, 409, 425, 429].includes(status))
    return tell(
      'CONFIGURATION_INVALID',
      `The store ${location} refuses access (${status}); check bucket, region, credentials and policy.`,
    );
  const isBroken = status !== undefined && status < 300; // it began well and could not be read to its end
  const answer = isBroken ? 'breaks off its answers' : status === undefined ? 'does not answer' : `answers ${status}`;
  const where = status === undefined ? ', and its endpoint (AWS_ENDPOINT_URL)' : '';
  return tell('STORE_UNAVAILABLE', `The store ${location} ${answer}; check that it is up${where}.`);
}
