import { type CertificateRequest, certify } from '../core/certificate/certificate.ts';
import { l1Change, vanishingPatterns } from '../core/certificate/l1-change.ts';
import { tightDelta } from '../core/certificate/tight-delta.ts';
import { compare, divide, parseRational, type Rational, rational } from '../core/rational/rational.ts';

/**
 * Time of one certificate, with its δ to 20 digits and its statements, against the plain way to its threshold alone:
 * try T upwards, one by one, with the same bounds on δ. Run with `node bench/certificate.bench.ts`; it takes a few
 * seconds.
 */
const HISTOGRAM = {
  mechanism: 'stability-histogram',
  neighbours: 'replace-one',
  publish: 'on+off',
  split: {},
} as const;
const REQUESTS: CertificateRequest[] = [
  { ...HISTOGRAM, unit: 'tap', epsilon: '8', delta: '1/1000000' },
  { ...HISTOGRAM, unit: 'trip', epsilon: '8', delta: '1/1000000' },
  { ...HISTOGRAM, unit: 'trip', epsilon: '1', delta: '1/1000000' },
  { ...HISTOGRAM, unit: 'trip', epsilon: '1/10', delta: '1/1000000000' },
  { ...HISTOGRAM, unit: 'card-window', maxTaps: 20, epsilon: '8', delta: '1/1000000' },
  { ...HISTOGRAM, unit: 'card-window', maxTaps: 100, epsilon: '2', delta: '1/1000000' },
];

/** The first T, from the smallest one allowed, whose upper bound on δ is small enough. */
function linearThreshold(request: CertificateRequest): number {
  const patterns = vanishingPatterns(request);
  const rate: Rational = divide(parseRational(request.epsilon), rational(BigInt(l1Change(request))));
  const delta = parseRational(request.delta);
  let threshold = Math.max(...patterns.map(({ taps }) => taps)) + 1;
  while (compare(tightDelta(patterns, threshold, rate, 128).upper, delta) > 0) threshold++;
  return threshold;
}

/** Milliseconds of one run: the best of three rounds of 100 ms or one run, after one to warm up. */
function milliseconds(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= 3; round++) {
    const begin = performance.now();
    let runs = 0;
    do {
      run();
      runs++;
    } while (performance.now() - begin < 100);
    if (round > 0) best = Math.min(best, (performance.now() - begin) / runs);
  }
  return best;
}

console.log('unit         k    ε     δ      T   certify, ms  scan of T, ms  scan/certify');
for (const request of REQUESTS) {
  const threshold = certify(request).threshold;
  if (threshold !== linearThreshold(request)) throw new Error(`two ways to one threshold differ: ${request.unit}`);
  const certified = milliseconds(() => certify(request));
  const scanned = milliseconds(() => linearThreshold(request));
  const { unit, maxTaps, epsilon, delta } = request;
  console.log(
    [
      unit.padEnd(11),
      String(maxTaps ?? '').padStart(3),
      epsilon.padStart(4),
      (1 / Number(delta.split('/')[1])).toExponential(0).padStart(5),
      String(threshold).padStart(6),
      certified.toFixed(2).padStart(12),
      scanned.toFixed(2).padStart(14),
      (scanned / certified).toFixed(1).padStart(13),
    ].join(' '),
  );
}
