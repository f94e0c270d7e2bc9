import { certify } from '../../../counts/certificate/certify.ts';
import type { CellCount } from '../../../counts/mechanisms/cell-counts.ts';
import { drawTable } from '../../support/draw-rows.ts';
import { COUNTS, DOMAIN, honestDraw, PARAMETERS, siblingOf } from '../honest-release.fixture.ts';
import { knowing, type Mutant } from './mutant.fixture.ts';

const UNPAID: ReadonlySet<string> = new Set();
const HOURS = ['07:00', '08:00'];

/** The same trips by the hour. */
const HOURLY_COUNTS: CellCount[] = DOMAIN.taps.flatMap((tap) =>
  HOURS.flatMap((hour) =>
    DOMAIN.locations.flatMap((location): CellCount[] => {
      const count = COUNTS.filter(
        (cell) => cell[0] === tap && cell[1].slice(0, 2) === hour.slice(0, 2) && cell[2] === location,
      ).reduce((sum, cell) => sum + cell[3], 0);
      return count === 0 ? [] : [[tap, hour, location, count]];
    }),
  ),
);

const TAPS = certify({ ...PARAMETERS, unit: 'tap' });

/** What another series publishes of the same trips. */
export const SIBLING_MUTANTS: Mutant[] = [
  {
    check: 'dependence',
    name: 'a sibling series that drew the same trips without a charge',
    subject: (subject, random) =>
      knowing({ siblings: [{ ...siblingOf(honestDraw(random)), charged: UNPAID }] })(subject),
  },
  {
    check: 'dependence',
    name: 'a sibling series that paid for one tap of a trip and shows both',
    subject: (subject, random) => knowing({ siblings: [siblingOf(honestDraw(random, TAPS), 15, TAPS)] })(subject),
  },
  {
    check: 'differencing',
    name: 'hourly counts of a sibling series, less the quarters that are published, without a charge',
    subject: (subject, random) => {
      const sibling = siblingOf(
        (partition) => drawTable(partition, HOURLY_COUNTS, { ...DOMAIN, times: HOURS }, subject.certificate, random),
        60,
      );
      return knowing({ siblings: [{ ...sibling, charged: UNPAID }] })(subject);
    },
  },
  {
    check: 'reuse',
    name: 'a sibling series with our noise, and a rider fewer in one cell of ten',
    subject: (subject, random) => {
      const cells = subject.cells.map((row, index) => (index % 10 === 0 ? { ...row, count: row.count - 1 } : row));
      return knowing({ siblings: [{ ...siblingOf(honestDraw(random)), cells }] })(subject);
    },
  },
];
