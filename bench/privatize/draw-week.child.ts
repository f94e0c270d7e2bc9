import { privatize } from '../../activities/private/privatize.ts';
import { oysterWeek, type Way } from './oyster-week.ts';

/** `node draw-week.child.ts FOLDER WAY`: draws every partition of a week that is binned, one after the other. */
const [root = '', way = ''] = process.argv.slice(2);
const week = await oysterWeek(root, way as Way);
const context = week.contexts().private;
const before = process.cpuUsage();
for (const partition of week.partitions)
  await privatize(context, { ...week.run(), round: 0, partitions: [partition], charge: 'asked of the ledger' });
const { user, system } = process.cpuUsage(before);
const use = { seconds: (user + system) / 1e6, mostMiB: process.resourceUsage().maxRSS / 1024 };
console.log(JSON.stringify(use));
