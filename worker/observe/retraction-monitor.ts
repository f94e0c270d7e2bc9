import type { Client } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { parseRetractWorkflowId } from '../../contracts/names.ts';

/**
 * Sets the metrics of retractions that were asked for and are not done: they wait at their gate, which may have expired,
 * or for a store. All count alike, from the time that somebody asked: until the end the publication stands as it was.
 */
export class RetractionMonitor {
  private readonly client: Client;
  private readonly gauges = retractionGauges();
  /** Series that were seen once: what is no more has to be set to 0, or the last value would stand. */
  private readonly seen = new Set<string>();

  constructor(client: Client) {
    this.client = client;
  }

  async pass(now: Date = new Date()): Promise<void> {
    const asked = Map.groupBy(await this.find(now), ({ series }) => series);
    for (const series of asked.keys()) this.seen.add(series);
    for (const series of this.seen) {
      const ages = (asked.get(series) ?? []).map(({ seconds }) => seconds);
      this.gauges.open.set(ages.length, { series });
      this.gauges.oldest.set(Math.max(0, ...ages), { series });
    }
  }

  private async find(now: Date): Promise<{ series: string; seconds: number }[]> {
    const query = "WorkflowType = 'retractWorkflow' AND ExecutionStatus = 'Running'";
    const found: { series: string; seconds: number }[] = [];
    for await (const { workflowId, startTime } of this.client.workflow.list({ query })) {
      const release = parseRetractWorkflowId(workflowId);
      if (release) found.push({ series: release.series, seconds: (now.getTime() - startTime.getTime()) / 1000 });
    }
    return found;
  }
}

function retractionGauges() {
  const meter = Runtime.instance().metricMeter;
  return {
    open: meter.createGauge(
      'opaline_open_retractions',
      'int',
      '',
      'Retractions that were asked for and are not done: the publication stands as it was.',
    ),
    oldest: meter.createGauge(
      'opaline_open_retraction_oldest_seconds',
      'float',
      '',
      'Time since the oldest of them was asked for; 0: there is none.',
    ),
  };
}
