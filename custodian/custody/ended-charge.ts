import { OpalineError } from '../../contracts/errors.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import type { Run } from '../../contracts/stages.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { PrivateContext } from '../context.ts';
import { appendSettled } from './population-ledger.ts';
import { standing } from './standing.ts';

/**
 * Appends the entry that ends the charge of a release, unless one that ends it is there: a charge ends once. It
 * changes no budget, so that it asks for nothing but a charge: a release ends also when its series file was revoked
 * meanwhile. Throws ACTION_NOT_OFFERED for a publication that would be withheld.
 *
 * @contract C12
 */
export async function endCharge(
  context: PrivateContext,
  run: Run,
  end: { kind: 'commit' } | { kind: 'withhold'; reason: string },
): Promise<void> {
  const { charge, release } = await standing(context, run);
  const { population } = await readSeries(context.releaseStore, run);
  const ends = (entry: LedgerEntry) =>
    (entry.kind === 'withhold' || entry.kind === 'commit') && entry.charge === charge;
  await appendSettled(context, population, (entries) => {
    const standing = entries.find(ends);
    if (standing?.kind === 'commit' && end.kind === 'withhold')
      throw new OpalineError(
        'ACTION_NOT_OFFERED',
        `${release} was published, as the ledger says, and cannot be withheld; \`opaline retract\` takes it back.`,
      );
    return standing ? null : { ...end, charge, release };
  });
}
