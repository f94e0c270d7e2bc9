import type { TextsOf } from '../../../services/publication/release-texts.ts';
import { fileOf } from '../../../services/publication/staged-files.ts';
import { SYNTHETIC_FILES } from '../files.ts';
import { certificateSchema } from '../mechanism/certified-rows.ts';
import { syntheticPrivacySchema } from '../privacy-file.ts';
import { parseMeasurements } from '../table-csv.ts';
import { describeSynthesis } from './description.ts';
import { syntheticStatement } from './statement.ts';

/** What is said of a release of synthetic data. Cost: O(measurements). */
export const syntheticTexts: TextsOf = async (files) => {
  const text = (name: string): string => fileOf(files, name).toString('utf8');
  const privacy = syntheticPrivacySchema.parse(JSON.parse(text(SYNTHETIC_FILES.privacy)));
  const certificate = certificateSchema.parse(JSON.parse(text(SYNTHETIC_FILES.certificate)));
  const drawn = parseMeasurements(text(SYNTHETIC_FILES.measurements));
  return {
    description: describeSynthesis(privacy, certificate, drawn),
    statement: (told) => syntheticStatement(privacy, certificate, told),
  };
};
