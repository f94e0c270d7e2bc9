import type { ClientKind } from '../../kinds/client-kind.ts';
import { ensure, type VerificationCheck } from '../../services/publication/verification-check.ts';
import { COUNTS_FILES, countsFileSchema, countsKind, countsSeries, scaleOf } from './series.ts';

export const countsForClients: ClientKind = {
  ...countsKind,
  fileSchema: countsFileSchema,
  check: async () => ({ lists: [], stored: countsSeries }),
  protection: (series) => ({
    certificate: { epsilon: series.privacy.epsilon, delta: '0' },
    inWords: [`Every value gets noise of scale ${scaleOf(countsSeries(series))}.`],
    yearInWords: () => [],
  }),
};

export const COUNTS_VERIFICATION: readonly VerificationCheck[] = [
  {
    id: 'values',
    check: ({ files, manifest }) => {
      const rows = files.get(COUNTS_FILES.table)!.toString('utf8').trimEnd().split('\r\n').slice(1);
      const { values } = JSON.parse(files.get(COUNTS_FILES.parameters)!.toString('utf8')) as { values: string[] };
      ensure(rows.length === manifest.partitions.length * values.length, 'Some value of some day is missing.');
      return 'Every value is there on every day.';
    },
  },
];
