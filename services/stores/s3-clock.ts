import { type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { httpStatus, isTooSkewed } from './s3-errors.ts';

/** So often in a row only a clock that never rests has a request refused, or a server that does not say its time. */
const ATTEMPTS = 5;

/**
 * Mends what the SDK (3.1169) does when the clock of this machine is not the server's. It takes the server's time from
 * every answer and signs with it. But it
 *
 * - repeats what was refused for its time only while the clock is wrong, so a clock that is set right fails a request.
 *   Here such a request, which had no effect, is signed and sent again at once;
 * - takes every error for one of the clock while that is wrong: it repeats requests that find no object or lose their
 *   condition, until it has no attempts left for real faults. Here it is told otherwise.
 */
export function followServerClock(client: S3Client): void {
  client.middlewareStack.addRelativeTo(followClock, {
    name: 'followServerClock',
    relation: 'before',
    toMiddleware: 'httpSigningMiddleware',
  });
}

const followClock =
  <Request, Answer>(signAndSend: (request: Request) => Promise<Answer>) =>
  async (request: Request): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await signAndSend(request);
      } catch (error) {
        if (isTooSkewed(error) && attempt < ATTEMPTS) continue;
        if (error instanceof S3ServiceException && httpStatus(error) !== 403) {
          Reflect.deleteProperty(error.$metadata, 'clockSkewCorrected');
        }
        throw error;
      }
    }
  };
