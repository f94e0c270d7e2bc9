import { epsilonOfRho } from '../core/accounting/epsilon-of-rho.ts';
import { upperText } from '../core/rational/amount-text.ts';
import { multiply, parseRational, type Rational, rational } from '../core/rational/rational.ts';
import { epsilonOfSchedule } from '../counts/accounting/account.ts';
import { generatePeople } from '../examples/people/generate-people.ts';
import { copyExampleSeries } from '../test/support/example-series.ts';
import { newFolder } from '../test/support/new-folder.ts';
import { releaseCity } from './city-release/city-release.ts';
import { writeMeasured } from './measured-parts.ts';
import { inFolder, markdownTable } from './measuring.ts';
import { UtilityMeter } from './utility/utility-measures.ts';
import { percent } from './utility/utility-tables.ts';

/**
 * The example of people, released on an embedded stack as `npm start -- --example people` does: what its publication
 * says, and how much of what is counted it shows. Run with `node bench/people-example.bench.ts`; it takes a minute on two
 * quiet cores and writes the table of docs/people.md. Noise is that of production, so that another run differs a little.
 */
const WEEKS = 53;
const CITY = { cards: 60_000, seed: 7 };

await inFolder(async (source) => {
  await generatePeople(source, CITY);
  const { certificate, statement, partitions } = await releaseCity(
    source,
    await copyExampleSeries('people', newFolder()),
  );
  const [rho, delta] = [certificate.rho!, certificate.delta].map(parseRational) as [Rational, Rational];
  const adaptive = parseRational(epsilonOfRho(multiply(rational(BigInt(WEEKS)), rho), delta)!);
  const quote = (pattern: RegExp): string => pattern.exec(statement)![1]!;
  const shareOf = (mode: string): string => {
    const meter = new UtilityMeter();
    for (const { exact, release } of partitions) if (exact.partition.part === mode) meter.add(exact, release);
    return percent({ mean: meter.figures.inCells });
  };
  const rows = [
    ['ε of a card’s week', `${certificate.epsilon}, at a δ of ${certificate.delta}`],
    [
      `ε of a year of ${WEEKS} weeks at that δ: on a fixed schedule, and whatever is chosen by earlier releases`,
      `${upperText(epsilonOfSchedule(certificate, WEEKS))}, ${upperText(adaptive)}`,
    ],
    ['ρ of the week', certificate.rho!],
    ['a cell is published from', `${certificate.threshold} taps`],
    ['counted taps in cells: bus, rail', ['bus', 'rail'].map(shareOf).join(', ')],
    ['taps that the bounds leave out', `${quote(/It leaves out (about \d+ taps \(\d+ to \d+)/)})`],
    [
      'cells that can be expected to be published where nobody was',
      quote(/noise alone: of the [\d,]+ cells of the public domain at most (about [\d.]+)/),
    ],
  ];
  const measures = ['activities', 'core', 'counts', 'custodian', 'kinds', 'examples/people', 'examples/people.yaml'];
  writeMeasured('people', { example: markdownTable(['what', 'figure'], rows, 2) }, { measures });
});
