import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { wrongUse } from '../../../contracts/errors.ts';
import type { LinearProgramSolver } from '../../../core/linear-program/solver.ts';
import { refuseOldFile, writeNewFile } from '../../../services/files/new-file.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { Objective } from '../mechanism/objective.ts';
import { optimalProfile } from '../mechanism/profile.ts';
import { certifyProfile, type ProfileCertificate } from '../mechanism/profile-certificate.ts';
import { formatProfile } from '../mechanism/profile-csv.ts';
import type { ProfileConfiguration } from './configuration.ts';

export type ProfileWishes = {
  folder: string | null;
  /** The objective for a model of n categories. */
  objective(categories: number): Objective;
  group: number;
  solve: LinearProgramSolver;
};

/** The two files of a vehicle model, and what is certified of it. */
export type WrittenProfile = { files: string[]; certificate: ProfileCertificate };

/**
 * Makes and writes profile and certificate of each vehicle model; files that are there stay as they are.
 * Throws USAGE for such a file or no folder, CERTIFICATE_IMPOSSIBLE when no profile is found.
 */
export async function writeProfiles(
  { epsilon, delta, vehicles, outputDirectory }: ProfileConfiguration,
  { folder = outputDirectory, objective, group, solve }: ProfileWishes,
): Promise<WrittenProfile[]> {
  if (folder === null) throw wrongUse('Say where the profiles go: outputDirectory in the configuration, or --output.');
  const profiles: { files: [path: string, text: string][]; certificate: ProfileCertificate }[] = [];
  for (const { outputFilename, model } of vehicles) {
    const stem = outputFilename.replace(/\.csv$/i, '');
    const request = { epsilon, delta, group, objective: objective(model.categories.length) };
    const profile = optimalProfile(model, request, solve);
    const csv = formatProfile(model.categories, profile.weights);
    const certificate = certifyProfile(profile, sha256(csv));
    const files: [name: string, text: string][] = [
      [outputFilename, csv],
      [`${stem}.certificate.json`, `${JSON.stringify(certificate, null, 2)}\n`],
    ];
    profiles.push({ files: files.map(([name, text]) => [join(folder, name), text]), certificate });
  }
  // A folder that is there, or cannot be made, shows when the first file is written.
  await mkdir(folder).catch(() => undefined);
  for (const [path] of profiles.flatMap(({ files }) => files)) refuseOldFile(path);
  for (const [path, text] of profiles.flatMap(({ files }) => files)) await writeNewFile(path, text, 0o644);
  return profiles.map(({ files, certificate }) => ({ files: files.map(([path]) => path), certificate }));
}
