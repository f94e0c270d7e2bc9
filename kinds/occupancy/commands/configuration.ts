import { z } from 'zod';
import type { FieldPath, ReportIssue } from '../../../contracts/series-issue.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { readPeopleFile } from '../../../services/files/people-file.ts';
import { vehicleModel } from '../mechanism/vehicle-model.ts';
import { passengerCount } from '../series.ts';

/** A name is a file of the output folder and nothing else. */
const FILE_NAME = /^[^/\\\0]+$/;
const MOST_CATEGORIES = 50;
/** What profiles are made for. */
const EPSILON_RANGE = { min: 1 / 1000, max: 16 };

const positive = z.int().min(1);

/**
 * The JSON schema of apc-anonymizer, version 1-0-0, with limits; options of its gradient descent are read and not
 * used.
 */
const configurationSchema = z.strictObject({
  configurationVersion: z.string().optional(),
  outputDirectory: z.string().min(1).optional(),
  vehicleModels: z
    .array(
      z.strictObject({
        outputFilename: z.string().min(1).max(200),
        minimumCounts: z.record(z.string().min(1), passengerCount),
        maximumCount: passengerCount.min(1),
      }),
    )
    .min(1)
    .max(1000),
  inference: z
    .strictObject({
      mechanism: z.literal('simple'),
      options: z
        .strictObject({
          epsilon: z.number().min(EPSILON_RANGE.min).max(EPSILON_RANGE.max).optional(),
          delta: z.number().min(0).max(0.5).optional(),
          numberOfIterationsPerHyperparameterTrial: positive.optional(),
          numberOfHyperparameterTrialsPerProcess: positive.optional(),
          numberOfProcesses: z.union([positive, z.string()]).optional(),
        })
        .optional(),
    })
    .optional(),
});

type ConfigurationFile = z.infer<typeof configurationSchema>;

/**
 * Reads a configuration of apc-anonymizer; ε is 1 and δ 1e-5 unless it says otherwise, as there. Throws PROFILE_INVALID
 * that names every mistake with its line and field.
 */
export const readConfiguration = async (path: string): Promise<ProfileConfiguration> =>
  configurationOf(await readPeopleFile(path, 'PROFILE_INVALID', configurationSchema, checkRules));

/** What the schema of apc-anonymizer cannot say, and its own checks do. */
function checkRules({ vehicleModels }: ConfigurationFile, report: ReportIssue): void {
  const names = new Set<string>();
  vehicleModels.forEach(({ outputFilename, minimumCounts, maximumCount }, place) => {
    const at = (...field: string[]): FieldPath => ['vehicleModels', place, ...field];
    if (!FILE_NAME.test(outputFilename) || /^\.+$/.test(outputFilename))
      report(at('outputFilename'), 'The name must be that of a file in the output folder, without a folder.');
    if (names.has(outputFilename))
      report(at('outputFilename'), 'Another vehicle model has this name; take one of its own.');
    names.add(outputFilename);
    const counts = Object.values(minimumCounts);
    if (counts.length < 2 || counts.length > MOST_CATEGORIES)
      report(at('minimumCounts'), `There must be 2 to ${MOST_CATEGORIES} categories.`);
    if (new Set(counts).size < counts.length) report(at('minimumCounts'), 'Two categories begin at the same count.');
    if (!counts.includes(0)) report(at('minimumCounts'), 'One category must begin at 0.');
    if (maximumCount < Math.max(...counts))
      report(at('maximumCount'), 'The largest count must be at least that at which the last category begins.');
  });
}

/** What a configuration of apc-anonymizer asks for. */
function configurationOf({ outputDirectory, vehicleModels, inference }: ConfigurationFile) {
  const { epsilon = 1, delta = 1e-5 } = inference?.options ?? {};
  return {
    outputDirectory: outputDirectory ?? null,
    // The shortest text of a number is the one that was written.
    epsilon: parseRational(String(epsilon)),
    delta: parseRational(String(delta)),
    vehicles: vehicleModels.map(({ outputFilename, minimumCounts, maximumCount }) => ({
      outputFilename,
      model: vehicleModel(minimumCounts, maximumCount),
    })),
  };
}

export type ProfileConfiguration = ReturnType<typeof configurationOf>;
