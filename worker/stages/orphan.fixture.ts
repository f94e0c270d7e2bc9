import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { StageProcess } from './stage-process.ts';

/** A worker whose process does what is asked; it reports that process's id, and waits to be killed. */
const [activity, input] = process.argv.slice(2);

const stages = new StageProcess({
  entry: new URL('./stages.fixture.ts', import.meta.url),
  deployment: 'none',
  niceness: 0,
  limits: { memoryMiB: 1000, minutes: 5 },
  log: pino({ enabled: false }),
});
await stages.ready;
void stages.run(activity!, input, new AbortController().signal);
await delay(200);
process.send!(stages.pid);
