import { FILES } from '../../../contracts/names.ts';
import { amountOf } from '../../../core/accounting/basic-composition.ts';
import type { TextsOf } from '../../../services/publication/release-texts.ts';
import { fileOf, formOf } from '../../../services/publication/staged-files.ts';
import { formatStatement } from '../../statement.ts';
import { occupancyPrivacySchema } from '../privacy-file.ts';
import { readRideCertificate } from '../published-statuses.ts';
import { parseStatuses, STATUSES } from '../status-table.ts';
import { rideInWords, ridesInWords } from '../words.ts';
import { describeOccupancy } from './description.ts';

/** The texts about a release of occupancy. Cost: O(rows). */
export const occupancyTexts: TextsOf = async (files) => {
  const privacy = formOf(files, FILES.privacy, occupancyPrivacySchema);
  const statuses = parseStatuses(fileOf(files, FILES.table(STATUSES.name)).toString('utf8'));
  const { assumptions, counts } = readRideCertificate(files);
  const { domain, holes, parameters, reading, release } = privacy;
  const ride = rideInWords({ ...parameters, counts, ...amountOf(parameters) }, domain.shapes);
  return {
    description: describeOccupancy(privacy, ride, statuses),
    statement: (facts) =>
      formatStatement(holes, facts, {
        what: [
          `How full vehicles were at each scheduled departure (${domain.parts.join(', ')}) from ${domain.days[0]} to ${domain.days.at(-1)}, one status for each. Release ${release}. Times are those of the timetable, in ${domain.timeZone}.`,
        ],
        reading,
        protection: ride,
        year: ridesInWords(parameters),
        assumptions,
      }),
  };
};
