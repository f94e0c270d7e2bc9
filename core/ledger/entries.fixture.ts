import { LEDGER_FORMAT, type LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { isRho, type Measured } from '../accounting/charged-amount.ts';
import { addDays } from '../calendar/civil-day.ts';
import type { Charge, Reserve } from './budget.ts';

/** The charge of a release that starts on a day. */
export function charge(first: string, days: number, epsilon: string, caps = { block: '1000', year: '1000' }): Charge {
  const limit = (most: string) => ({ epsilon: most, delta: '1/1000' });
  return {
    blocks: Array.from({ length: days }, (_, index) => ({
      part: 'bus',
      day: addDays(first, index),
      epsilon,
      delta: '1/1000000',
    })),
    caps: { block: limit(caps.block), year: limit(caps.year) },
  };
}

/** ε of an amount of a population that counts it. */
export function epsilonIn<Value>(amount: Measured<Value> | undefined): Value {
  if (amount && !isRho(amount)) return amount.epsilon;
  throw new Error('no ε');
}

/** The place in a chain, for entries whose chain is not looked at. */
export const head = { format: LEDGER_FORMAT, population: 'riders', sequence: 1, previous: null } as const;

export const chargeId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const file = { number: 1, digest: 'ab'.repeat(32) };

/** Under what a charge is reserved, where nobody looks at it. */
export const terms = {
  neighbours: 'replace-one',
  mechanism: 'complete-domain',
  series: { name: 'taps', ...file },
  policy: file,
  trust: file,
  order: null,
  correction: null,
};

/** The reserve entry with that charge. */
export const reserveEntry = (number: number, release: string, of: Charge): Reserve => ({
  ...head,
  kind: 'reserve',
  charge: chargeId(number),
  release,
  unit: 'trip',
  ...terms,
  ...of,
  blocks: [...of.blocks],
});

/** The rules of the population. */
export const rulesEntry = (caps: Reserve['caps']): LedgerEntry => ({
  ...head,
  kind: 'policy',
  policy: file,
  trust: file,
  unit: 'trip',
  neighbours: 'replace-one',
  caps,
  order: null,
  signers: [],
});

export const endEntry = (kind: 'commit' | 'withhold', number: number, release: string): LedgerEntry =>
  kind === 'commit'
    ? { ...head, kind, charge: chargeId(number), release }
    : { ...head, kind, charge: chargeId(number), release, reason: 'rejected' };
