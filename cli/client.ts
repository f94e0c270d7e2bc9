import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { type OpalineClient, openClient } from '../client/opaline-client.ts';
import { noNamespace } from '../client/workflow-calls.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { clientDeployment } from './client-deployment.ts';

/** Opens a client, of OPALINE_DEPLOYMENT or the embedded stack unless another is named, and closes it in the end. */
export async function withClient<T>(
  use: (client: OpalineClient) => Promise<T>,
  deployment: () => Promise<ClientDeployment> = clientDeployment,
): Promise<T> {
  const client = await openClient(await deployment());
  try {
    return await use(client);
  } catch (error) {
    throw inOurWords(error);
  } finally {
    await client.close();
  }
}

/** Temporal's own text says nothing to a person who asked about a release; every other error stays what it is. */
export const inOurWords = (error: unknown): unknown => {
  if (error instanceof NamespaceNotFoundError) return noNamespace(error);
  return isGrpcServiceError(error) || error instanceof ServiceError
    ? new OpalineError(
        'SERVER_UNAVAILABLE',
        'Temporal or the public worker does not answer; `opaline doctor` says which.',
      )
    : error;
};
