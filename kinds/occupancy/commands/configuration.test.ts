import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OpalineError } from '../../../contracts/errors.ts';
import { formatRational } from '../../../core/rational/rational.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { ROOT } from '../../../test/tidy/source-files.ts';
import { readConfiguration } from './configuration.ts';

const folder = newFolder();

const BUS = [
  'vehicleModels:',
  '  - outputFilename: bus.csv',
  '    minimumCounts: {FULL: 9, EMPTY: 0}',
  '    maximumCount: 12',
];
const OPTIONS = ['inference:', '  mechanism: simple', '  options:'];

async function read(lines: string[]) {
  const path = join(folder, 'configuration.yaml');
  await writeFile(path, lines.join('\n'));
  return readConfiguration(path);
}

describe('a configuration of apc-anonymizer', () => {
  test('that of its README gives two vehicle models, with its defaults', async () => {
    const { vehicles, epsilon, delta, outputDirectory } = await readConfiguration(
      join(ROOT, 'examples', 'occupancy', 'configuration.yaml'),
    );
    expect(vehicles.map(({ outputFilename }) => outputFilename)).toEqual([
      'volvo-8908rle.csv',
      'vdl-cites-lle-120-255.csv',
    ]);
    expect(vehicles[1]!.model.minimumCounts).toEqual([0, 5, 28, 36, 55, 69]);
    expect([formatRational(epsilon), formatRational(delta), outputDirectory]).toEqual(['1', '1/100000', null]);
  });

  test('every field of its schema is taken, and categories go by their counts', async () => {
    const read1 = await read([
      'configurationVersion: "1-0-0"',
      'outputDirectory: out',
      ...BUS,
      ...OPTIONS,
      '    epsilon: 0.3',
      '    delta: 2.5e-7',
      '    numberOfIterationsPerHyperparameterTrial: 10',
      '    numberOfHyperparameterTrialsPerProcess: 5',
      '    numberOfProcesses: one-per-core',
    ]);
    expect(read1.vehicles[0]!.model).toEqual({
      categories: ['EMPTY', 'FULL'],
      minimumCounts: [0, 9],
      maximumCount: 12,
    });
    expect([formatRational(read1.epsilon), formatRational(read1.delta)]).toEqual(['3/10', '1/4000000']);
    expect(read1.outputDirectory).toBe('out');
  });

  const changed = (from: string, to: string) => BUS.map((line) => line.replace(from, to));

  test.each<[string, string[], string]>([
    ['an unknown field', [...BUS, 'output: x'], ':5:1 output — There is no such field'],
    [
      'an unknown field of a model',
      changed('maximumCount', 'maximum'),
      ':2:5 vehicleModels[0].maximumCount — The field is missing',
    ],
    ['a count that is none', changed('9', 'many'), ':3:21 vehicleModels[0].minimumCounts.FULL — The value must be a'],
    ['a count below 0', changed('9', '-9'), 'vehicleModels[0].minimumCounts.FULL — The number must be at least 0'],
    [
      'no category at 0',
      changed('EMPTY: 0', 'EMPTY: 1'),
      ':3:5 vehicleModels[0].minimumCounts — One category must begin at 0',
    ],
    ['two equal beginnings', changed('9', '0'), 'vehicleModels[0].minimumCounts — Two categories'],
    ['one category', changed('FULL: 9, ', ''), 'vehicleModels[0].minimumCounts — There must be 2 to 50 categories'],
    ['a largest count that is too small', changed('12', '8'), ':4:5 vehicleModels[0].maximumCount — The largest count'],
    [
      'a file in another folder',
      changed('bus.csv', '../bus.csv'),
      ':2:5 vehicleModels[0].outputFilename — The name must be',
    ],
    ['a folder for a file', changed('bus.csv', '".."'), 'vehicleModels[0].outputFilename — The name must be'],
    [
      'two models of one name',
      [...BUS, ...BUS.slice(1)],
      ':5:5 vehicleModels[1].outputFilename — Another vehicle model',
    ],
    ['ε of 0', [...BUS, ...OPTIONS, '    epsilon: 0'], ':8:5 inference.options.epsilon — The number must be at least'],
    ['δ of 1', [...BUS, ...OPTIONS, '    delta: 1'], ':8:5 inference.options.delta — The number must be at most'],
    [
      'another mechanism',
      [...BUS, 'inference:', '  mechanism: matrix'],
      ':6:3 inference.mechanism — The value must be simple',
    ],
    ['no models', ['vehicleModels: []'], ':1:1 vehicleModels — The list is empty'],
    ['what is no YAML', ['vehicleModels: ['], 'This is no YAML'],
    ['nothing', [''], 'The value must be'],
  ])('%s is told in sentences with line and field', async (_, lines, sentence) => {
    const mistake = await read(lines).catch((error: unknown) => error);
    expect(mistake).toBeInstanceOf(OpalineError);
    expect(mistake).toMatchObject({ code: 'PROFILE_INVALID', message: expect.stringContaining(sentence) });
    for (const line of (mistake as OpalineError).message.split('\n')) expect(line).toMatch(/\.yaml:\d+:\d+ \S.*\.$/);
  });

  test('a file that is not there', async () => {
    await expect(readConfiguration(join(folder, 'none.yaml'))).rejects.toMatchObject({ code: 'PROFILE_INVALID' });
  });
});
