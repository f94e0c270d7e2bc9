import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import { missingWindows } from '../../services/calendar/scheduled-window.ts';
import { windowsThatRan } from '../../services/stores/release-executions.ts';
import type { AppliedSeries } from '../../services/stores/series-objects.ts';

/** Sets the metrics of schedules: what is due and was never started, also while Temporal or its schedule was down. */
export class ScheduleMonitor {
  private readonly client: Client;
  private readonly releaseStore: ObjectStore;
  private readonly late = Runtime.instance().metricMeter.createGauge(
    'opaline_schedule_late_seconds',
    'float',
    '',
    'Time since the oldest scheduled window that no release was started for was due; 0: none is missing.',
  );
  private readonly paused = Runtime.instance().metricMeter.createGauge(
    'opaline_schedule_paused',
    'int',
    '',
    '1 when people have paused the schedule of the series, else 0.',
  );

  constructor(client: Client, releaseStore: ObjectStore) {
    this.client = client;
    this.releaseStore = releaseStore;
  }

  async pass(all: readonly AppliedSeries[], now: Date = new Date()): Promise<void> {
    for (const { name, series } of all) {
      const found = await this.describe(name);
      const ran = found && (await windowsThatRan(this.releaseStore, name));
      const [oldest] = found && ran ? missingWindows(series, found.info.createdAt, now, ran) : [];
      this.late.set(oldest ? (now.getTime() - Date.parse(oldest.scheduledAt)) / 1000 : 0, { series: name });
      this.paused.set(found?.state.paused ? 1 : 0, { series: name });
    }
  }

  private async describe(name: string) {
    try {
      return await this.client.schedule.getHandle(scheduleId(name)).describe();
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return null;
      throw error;
    }
  }
}
