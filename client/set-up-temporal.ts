import { setTimeout as delay } from 'node:timers/promises';
import type { Connection } from '@temporalio/client';
import type { TemporalConfiguration } from '../contracts/deployment.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/names.ts';
import { grpcCode, NOT_FOUND, nullWhenNotFound } from '../services/temporal/connection.ts';
import { deploymentVersions } from '../services/temporal/current-version.ts';
import { askTemporal } from './opaline-client.ts';
import { succeeds } from './succeeds.ts';

/** `opaline show` and `opaline correct` need the history of a release that has ended. */
export const LEAST_RETENTION_DAYS = 90;

const DAY_SECONDS = 86_400;

/** gRPC: PERMISSION_DENIED, UNIMPLEMENTED. */
const NOT_FOR_CLIENTS = [7, 12];

/** Servers look for new namespaces every ten seconds or so. */
const KNOWN_MS = 60_000;

/**
 * Gives the namespace of a deployment what Opaline needs of it: that it is there, a retention of at least 90 days, and
 * the three search attributes; with `checkOnly` it changes nothing. Where clients may not do so, as in Temporal Cloud,
 * it says what to set. Safe to run twice. A longer retention stays. Gives what was `done` now and what is still
 * `missing`, each with what mends it, and the build that takes new and open releases; null until a public worker has
 * polled. Throws SERVER_UNAVAILABLE.
 */
export async function setUpTemporal(temporal: TemporalConfiguration, { checkOnly }: { checkOnly: boolean }) {
  const { namespace } = temporal;
  const [done, missing]: [string[], string[]] = [[], []];
  /** Makes a change; where it cannot be made, what people have to do. */
  const change = async (what: string, toDo: string, make: () => Promise<unknown>) => {
    const isRefused = (error: unknown) => NOT_FOR_CLIENTS.includes(grpcCode(error) as number);
    const isDone = !checkOnly && (await succeeds(make(), isRefused));
    (isDone ? done : missing).push(isDone ? what : toDo);
    return isDone;
  };
  return askTemporal(temporal, async (_, connection) => {
    const days = await retentionDays(connection, namespace);
    const { workflowService, operatorService } = connection;
    // The library writes whole numbers as they are, and its types know only its own.
    const retention = { seconds: (LEAST_RETENTION_DAYS * DAY_SECONDS) as never };
    if (days === null) {
      const toDo = `There is no namespace ${namespace}: make it, with a retention of ${LEAST_RETENTION_DAYS} days.`;
      const register = () =>
        workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention });
      if (!(await change(`the namespace ${namespace} was made`, toDo, register)))
        return { namespace, isThere: false, done, missing, currentBuild: null };
    } else if (days < LEAST_RETENTION_DAYS)
      await change(
        `the retention was ${days} days, and is ${LEAST_RETENTION_DAYS}`,
        `The retention of ${namespace} is ${days} days: set it to ${LEAST_RETENTION_DAYS}.`,
        () => workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl: retention } }),
      );
    const absent = await onceKnown(() => absentAttributes(connection, namespace));
    const KEYWORD = 2;
    if (absent.length > 0)
      await change(
        `the search attributes ${absent.join(', ')} were registered`,
        `Register the search attributes ${absent.join(', ')} of ${namespace}, each of type Keyword.`,
        async () => {
          const searchAttributes = Object.fromEntries(absent.map((name) => [name, KEYWORD]));
          await onceKnown(() => operatorService.addSearchAttributes({ namespace, searchAttributes }));
        },
      );
    const { current } = await onceKnown(() => deploymentVersions(workflowService, { namespace, side: 'public' }));
    return { namespace, isThere: true, done, missing, currentBuild: current };
  });
}

/** Null: there is no such namespace. */
async function retentionDays({ workflowService }: Connection, namespace: string): Promise<number | null> {
  const answer = await workflowService.describeNamespace({ namespace }).catch(nullWhenNotFound);
  return answer && Math.floor(Number(answer.config?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS);
}

/** The search attributes of Opaline that a namespace does not have. */
async function absentAttributes({ operatorService }: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES).filter((name) => !Object.hasOwn(customAttributes ?? {}, name));
}

/** Asks again while the server does not know a namespace that was just made. */
async function onceKnown<T>(ask: () => Promise<T>): Promise<T> {
  for (const givenUpAt = Date.now() + KNOWN_MS; ; await delay(500)) {
    try {
      return await ask();
    } catch (error) {
      if (grpcCode(error) !== NOT_FOUND || Date.now() > givenUpAt) throw error;
    }
  }
}
