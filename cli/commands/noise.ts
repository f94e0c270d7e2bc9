import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { OpalineError } from '../../contracts/errors.ts';
import { type DiscreteLaplace, discreteLaplace } from '../../core/random/discrete-laplace.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { table } from '../../core/text/table.ts';
import { readWholeNumber } from '../../core/text/whole-number.ts';
import { operatingSystemRandom } from '../../custodian/randomness.ts';
import { define } from '../command.ts';
import { noiseBatches, noiseHistogram } from '../noise-histogram.ts';
import { bar, type OutputOptions } from '../terminal.ts';

type Options = OutputOptions & { scale: string; count: string; histogram?: boolean };

export function noiseCommand(): Command {
  const command = new Command('noise')
    .description('draw from the production sampler of noise, for those who want to test it; touches no data')
    .requiredOption('--scale <p/q>', 'scale b of the discrete Laplace law, P[X = x] proportional to e^(-|x|/b)')
    .requiredOption('--count <n>', 'how many draws: 1000 or 1e8')
    .option('--histogram', 'how often each value came up, instead of one draw a line; --json is a histogram always');
  return define(command, 'opaline noise --scale 1/2 --count 1e8 --histogram', async (_, options: Options) => {
    const count = readWholeNumber('--count', options.count);
    const noise = openNoise(options.scale);
    if (options.json) process.stdout.write(histogramJson(noiseHistogram(noise, count)));
    else if (options.histogram) process.stdout.write(histogramText(noiseHistogram(noise, count), count));
    else await printDraws(noise, count);
  });
}

function openNoise(scale: string): DiscreteLaplace {
  try {
    return discreteLaplace(parseRational(scale), operatingSystemRandom());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OpalineError('USAGE', `--scale: ${error.message}.`);
  }
}

/** Written by hand: an object would put the negative values last. */
function histogramJson(histogram: [value: number, count: number][]): string {
  const members = histogram.map(([value, times]) => `    "${value}": ${times}`);
  return `{\n  "counts": {\n${members.join(',\n')}\n  }\n}\n`;
}

function histogramText(histogram: [value: number, count: number][], count: number): string {
  const most = Math.max(...histogram.map(([, times]) => times));
  const rows = histogram.map(([value, times]) => [
    String(value),
    String(times),
    (times / count).toPrecision(4),
    bar(times / most),
  ]);
  return `${table(['value', 'draws', 'share', ''], rows)}\n`;
}

async function printDraws(noise: DiscreteLaplace, count: number): Promise<void> {
  function* lines() {
    for (const draws of noiseBatches(noise, count)) yield `${draws.join('\n')}\n`;
  }
  await pipeline(Readable.from(lines()), process.stdout, { end: false });
}
