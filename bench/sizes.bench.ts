import { countTrips } from '../test/scale/private-process.fixture.ts';
import { writePerformance } from './measured-parts.ts';
import { inFolder, markdownTable, numberGiven } from './measuring.ts';

/**
 * Ingest and bin of ten times as many trips, in one file and in a thousand, in the process that computes for a private
 * worker: time in proportion, memory that does not grow. Run with `node bench/sizes.bench.ts [millions of trips]`; thirty
 * and 300 take a quarter of an hour and 15 GB, and write their part of docs/performance.md. Aim: 1,024 MiB.
 */
const WHOLE = 30;
const millions = numberGiven(0, WHOLE);
const SIZES = [millions, 10 * millions] as const;
const STAGES = ['copy', 'ingest', 'bin'] as const;

const lines: string[][] = [];
for (const files of [1, 1000]) {
  let smaller: Awaited<ReturnType<typeof countTrips>> | null = null;
  for (const size of SIZES) {
    const uses = await inFolder((root) => countTrips(root, size * 1e6, files));
    for (const stage of STAGES) {
      const use = uses[stage];
      const times = (of: 'seconds' | 'processorSeconds') => (smaller ? (use[of] / smaller[stage][of]).toFixed(1) : '');
      lines.push([
        `${size} M`,
        files.toLocaleString('en'),
        stage,
        use.seconds.toFixed(1),
        times('seconds'),
        use.processorSeconds.toFixed(1),
        times('processorSeconds'),
        ...('anonymousMiB' in use ? [use.residentMiB.toFixed(0), use.anonymousMiB.toFixed(0)] : ['', '']),
      ]);
      console.log(lines.at(-1)!.join(' | '));
    }
    smaller = uses;
  }
}

const AGAINST = `times ${SIZES[0]} M`;
const HEAD = ['trips', 'files', 'stage', 'seconds', AGAINST, 'processor seconds', AGAINST];
const text = `Generated trips of 14 days in files that may have any of them, each stage in the process that computes for the private worker, DuckDB limited to 1,024 MiB. Resident memory is the highest that the kernel saw (\`VmHWM\`), with pages of the program; what belongs to no file (\`RssAnon\`) is beside it, of looks. A bare copy of the files, read, hashed and written, is what ingest cannot do without: where it grows faster than the files, the machine does.

${markdownTable([...HEAD, 'highest resident memory, MiB', 'of it in no file'], lines, 3)}`;
writePerformance({ sizes: text }, {}, millions === WHOLE);
