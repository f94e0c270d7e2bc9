import { FILES } from '../../../contracts/names.ts';
import type { TextsOf } from '../../../services/publication/release-texts.ts';
import { fileOf, formOf } from '../../../services/publication/staged-files.ts';
import { formatStatement, markdownList } from '../../statement.ts';
import { certificateSchema } from '../certified-rows.ts';
import { syntheticPrivacySchema } from '../privacy-file.ts';
import { MEASUREMENTS, parseMeasurements } from '../tables.ts';
import { rowInWords, rowsInWords } from '../words.ts';
import { describeSynthesis } from './description.ts';

/** The texts about a release of synthetic data. Cost: O(measurements). */
export const syntheticTexts: TextsOf = async (files) => {
  const privacy = formOf(files, FILES.privacy, syntheticPrivacySchema);
  const certificate = formOf(files, FILES.certificate, certificateSchema);
  const { domain, parameters, workload, holes, reading, release } = privacy;
  const { unit } = parameters;
  const questions = workload.map(
    ({ attributes, ordered }) =>
      `${attributes.join(' × ')}${ordered > 1 ? `, and ranges of ${attributes.at(-1)}` : ''}`,
  );
  const draws = parseMeasurements(fileOf(files, FILES.table(MEASUREMENTS.name)).toString('utf8'));
  return {
    description: describeSynthesis(privacy, certificate, draws),
    statement: (facts) =>
      formatStatement(holes, facts, {
        what: [
          `Synthetic data: how the ${unit}s of ${domain.parts.join(', ')} from ${domain.days[0]} to ${domain.days.at(-1)} may have been spread over ${domain.attributes.map(({ name }) => name).join(', ')}. Release ${release}. It is fitted to noisy answers and is no copy of any ${unit}. Times are of ${domain.timeZone}.`,
          'These were asked about:',
          markdownList(questions),
        ],
        reading: [markdownList(reading)],
        protection: rowInWords(certificate),
        year: rowsInWords(parameters),
        assumptions: certificate.assumptions,
      }),
  };
};
