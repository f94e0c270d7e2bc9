import type { Client } from '@temporalio/client';

type Time = { seconds?: unknown; nanos?: number | null };

const milliseconds = (time: Time | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;

/**
 * When a kind of activity was at work in one workflow, in ms since 1970, how many of it there were, and the events of the
 * workflow's history.
 */
export type Span = { from: number; to: number; count: number; events: number };

/** From the first schedule of an activity type to its last completion, by the server's clock. Throws without one. */
export async function activitySpan(client: Client, workflowId: string, activity: string): Promise<Span> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const scheduled = new Set<string>();
  const span = { from: Number.POSITIVE_INFINITY, to: 0, count: 0 };
  for (const event of events ?? []) {
    if (event.activityTaskScheduledEventAttributes?.activityType?.name === activity) {
      scheduled.add(String(event.eventId));
      span.from = Math.min(span.from, milliseconds(event.eventTime));
    }
    if (scheduled.has(String(event.activityTaskCompletedEventAttributes?.scheduledEventId))) {
      span.to = Math.max(span.to, milliseconds(event.eventTime));
      span.count += 1;
    }
  }
  if (span.count === 0) throw new Error(`${workflowId} has no ${activity}`);
  return { ...span, events: events?.length ?? 0 };
}
