import { z } from 'zod';
import { entrySchema } from '../../contracts/formats/ledger-entry.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import type { ObjectReader } from '../../contracts/object-store.ts';
import { ensure } from '../../services/publication/verification-check.ts';
import { readListedFile, type SeriesRelease } from '../../services/series-pages/series-release.ts';
import { readDocument } from '../../services/signing/signed-document.ts';

/** What a certificate of any kind says of its losses. */
const lossSchema = z.object({
  mechanism: z.string(),
  epsilon: z.string(),
  neighbours: z.string(),
  rho: z.string().optional(),
});
export type CertifiedLoss = z.output<typeof lossSchema>;

/** The charge of one unit by a release, as the ledger's entry says; the δ at which its population shows ε. */
type RhoCharge = { release: string; neighbours: string; rhos: readonly string[]; delta: string };

/** A fraction with a positive denominator; it need not be in lowest terms. */
type Fraction = { n: bigint; d: bigint };

/** Mechanisms whose ρ is ε²/2. */
const LAPLACE_WITHOUT_DELTA: readonly string[] = ['complete-domain'];

const read = (text: string): Fraction => {
  const [n = '', d = '1'] = text.split('/');
  return { n: BigInt(n), d: BigInt(d) };
};
const asNumber = ({ n, d }: Fraction): number => Number((n * 10n ** 15n) / d) / 1e15;

/**
 * ρ of a release under the relation of its population: that of the certificate, or ε²/2 where the noise is Laplace. Where
 * a unit is replaced, twice as many counts move, so that ρ is twice that, and ε twice, its square four times.
 */
function rhoOf({ mechanism, epsilon, neighbours, rho }: CertifiedLoss, under: string): Fraction | null {
  const isPure = LAPLACE_WITHOUT_DELTA.includes(mechanism);
  if (rho === undefined && !isPure) return null;
  const own = read(rho ?? epsilon);
  const { n, d } = rho === undefined ? { n: own.n * own.n, d: 2n * own.d * own.d } : own;
  const times = rho === undefined ? 4n : 2n;
  if (under === neighbours) return { n, d };
  return under === 'replace-one' ? { n: n * times, d } : { n, d: d * times };
}

/**
 * ε at δ of a sum of ρ: the infimum over orders a > 1 of aρ + (ln(1/δ) + (a − 1)·ln(1 − 1/a) − ln a)/(a − 1) (Canonne,
 * Kamath, Steinke 2020, Proposition 12), in floating point; each order is a bound, so a poor one makes it larger.
 */
function epsilonAt(rho: number, delta: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let step = -800; step <= 800; step++) {
    const above = 2 ** (step / 64);
    const order = 1 + above;
    least = Math.min(
      least,
      order * rho + (-Math.log(delta) + above * Math.log(above / order) - Math.log(order)) / above,
    );
  }
  return Math.max(0, least);
}

/**
 * What charges of ρ add up to, by arithmetic that the ledger does not have. Throws Mismatch when a block is charged
 * something else than its certificate says.
 *
 * @contract C12
 */
export function sumInWords(charges: readonly { charge: RhoCharge; certificate: CertifiedLoss }[]): string {
  let sum: Fraction = { n: 0n, d: 1n };
  for (const { charge, certificate } of charges) {
    const own = rhoOf(certificate, charge.neighbours);
    ensure(own !== null, `${charge.release} is charged in ρ, and its certificate has none.`);
    for (const text of charge.rhos) {
      const { n, d } = read(text);
      ensure(
        n * own!.d === own!.n * d,
        `${charge.release} is charged ρ = ${text}, which its certificate does not say.`,
      );
    }
    sum = { n: sum.n * own!.d + own!.n * sum.d, d: sum.d * own!.d };
  }
  const delta = charges.at(-1)!.charge.delta;
  const epsilon = Math.ceil(100 * epsilonAt(asNumber(sum), asNumber(read(delta)))) / 100;
  return `${charges.length} releases are charged as their certificates say. Of a unit that is in each of them once, ρ adds up to ${asNumber(sum).toPrecision(6)}, and so ε is at most ${epsilon} at a δ of ${asNumber(read(delta))}. Charges of releases that were not published are in the ledger alone.`;
}

/** The charges of a series whose population counts ρ; nothing is added up of others. */
export async function checkCharges(store: ObjectReader, releases: readonly SeriesRelease[]): Promise<string> {
  const charges: { charge: RhoCharge; certificate: CertifiedLoss }[] = [];
  for (const release of releases) {
    const entry = readDocument(release.attestation.publisher.reserve, entrySchema, 'entry of a ledger');
    if (entry.kind !== 'reserve' || !('delta' in entry.caps)) continue;
    const rhos = entry.blocks.flatMap((block) => ('rho' in block ? [block.rho] : []));
    const name = releasePath(release.release);
    const bytes = await readListedFile(store, release, FILES.certificate);
    ensure(bytes !== null, `${name} has no certificate that its manifest lists.`);
    charges.push({
      charge: { release: name, neighbours: entry.neighbours, rhos, delta: entry.caps.delta },
      certificate: lossSchema.parse(JSON.parse(`${bytes}`)),
    });
  }
  return charges.length === 0 ? 'No release is charged in ρ: the ledger counts ε and δ.' : sumInWords(charges);
}
