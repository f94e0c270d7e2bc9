import { isGrpcServiceError } from '@temporalio/client';
import { OpalineClient } from '../client/opaline-client.ts';
import { OpalineError } from '../contracts/errors.ts';
import { clientDeployment } from './deployment.ts';

/** Opens the client that OPALINE_DEPLOYMENT names, or that of the embedded stack; closes it in the end. */
export async function withClient<T>(use: (client: OpalineClient) => Promise<T>): Promise<T> {
  const client = await OpalineClient.open(await clientDeployment());
  try {
    return await use(client);
  } catch (error) {
    // Temporal's own text says nothing to a person who asked about a release.
    if (!isGrpcServiceError(error)) throw error;
    throw new OpalineError('SERVER_UNAVAILABLE', 'Temporal or the public worker does not answer; is the stack up?');
  } finally {
    await client.close();
  }
}
