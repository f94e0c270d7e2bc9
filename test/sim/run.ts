import { parseArgs } from 'node:util';
import { simulate } from './release-simulation.ts';

/** `npm run sim -- --seed N --runs M`: M seeds from N on. One run alone shows each call of a store. */
const { values } = parseArgs({
  options: { seed: { type: 'string', default: String(Date.now() % 2 ** 31) }, runs: { type: 'string', default: '1' } },
});
const [first, runs] = [Number(values.seed), Number(values.runs)];
for (let seed = first; seed < first + runs; seed += 1) {
  const { violations, trace } = await simulate(seed);
  if (runs === 1) console.log(trace.join('\n'));
  const faults = trace.filter((line) => line.includes(' — ')).length;
  console.log(`seed ${seed}: ${trace.length} calls, ${faults} faults${violations.map((one) => `\n  ${one}`).join('')}`);
  if (violations.length > 0) process.exitCode = 1;
}
