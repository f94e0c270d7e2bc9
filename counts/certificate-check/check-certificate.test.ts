import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { type CertificateRequest, certify } from '../certificate/certify.ts';
import { TRIP_REQUEST } from '../certificate/trip-request.fixture.ts';
import { checkCertificate } from './check-certificate.ts';

const base: CertificateRequest = {
  ...TRIP_REQUEST,
  split: { time: '0.3', location: '0.5' },
};

/** What only a certificate says whose parameters were chosen on no confidential data. */
const UNCHOSEN = 'Privacy parameters were chosen from public data, earlier publications or charged output.';

const good: Record<string, Certificate> = {
  trip: certify(base),
  'trip with checks': certify({ ...base, split: { checks: '0.1' } }),
  tap: certify({ ...base, unit: 'tap', neighbours: 'add-remove', split: {} }),
  'tap of a trip': certify({ ...base, unit: 'tap', split: {} }),
  card: certify({ ...base, unit: 'card-day', maxTaps: 4, epsilon: '1/3', split: {} }),
  'left-out taps': certify({ ...base, unit: 'card-day', maxTaps: 4, clamp: 3, split: { bounded: '1/2' } }),
  rejects: certify({ ...base, rejects: { bus: 100 }, split: { checks: '1/2' } }),
  'complete domain': certify({ ...base, mechanism: 'complete-domain', delta: '0' }),
  'a floor': certify({ ...base, mechanism: 'complete-domain', delta: '0', floor: 7, hours: { floor: 10, bins: 4 } }),
  people: certify({
    ...base,
    mechanism: 'discrete-gaussian',
    unit: 'card-window',
    maxTaps: 5,
    place: 2,
    clamp: 3,
    epsilon: '2',
    split: { time: '2/25', location: '3/25', bounded: '1/20' },
    floor: 90,
    hours: { floor: 160, bins: 4 },
  }),
  'chosen on data': certify({ ...base, chosenOn: 'two weeks of 2016' }),
  'sbh-2017': certify({ ...base, mechanism: 'sbh-2017', delta: '7.5e-7', split: { time: '2', location: '2' } }),
};

describe('@contract C10 certificates are checked again', () => {
  test.each(Object.entries(good))('%s is good', (_, certificate) => {
    expect(checkCertificate(certificate)).toEqual([]);
    expect(checkCertificate(JSON.parse(JSON.stringify(certificate)))).toEqual([]);
  });

  test('every one says that each line of a text file is a row', () => {
    const sentence =
      'In text files each line is a row of its own: a line end inside a field, quoted or not, ends the row.';
    for (const { assumptions } of Object.values(good)) expect(assumptions).toContain(sentence);
  });

  test('@contract C17 one whose parameters were chosen on data says so, and does not say the opposite', () => {
    const { chosenOn, assumptions } = good['chosen on data']!;
    expect(chosenOn).toBe('two weeks of 2016');
    expect(assumptions).toContain('Parameters were chosen with uncharged access to data of two weeks of 2016.');
    expect(assumptions).not.toContain(UNCHOSEN);
    expect(good.trip!.assumptions).toContain(UNCHOSEN);
  });

  test('whatever is certified is good', () => {
    const requests = fc.record({
      mechanism: fc.constantFrom('stability-histogram', 'complete-domain', 'sbh-2017'),
      unit: fc.constantFrom('tap', 'trip', 'card-day', 'card-window'),
      k: fc.integer({ min: 1, max: 40 }),
      neighbours: fc.constantFrom('replace-one', 'add-remove'),
      publish: fc.constantFrom('on', 'off', 'on+off'),
      rows: fc.constantFrom('trips', 'taps'),
      epsilon: fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 60 })).map(([n, d]) => `${n}/${d}`),
      delta: fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 3, max: 60 })).map(([n, e]) => `${n}e-${e}`),
      margins: fc.boolean(),
    } as const);
    fc.assert(
      fc.property(requests, ({ k, margins, ...request }) => {
        const isCard = request.unit.startsWith('card');
        fc.pre(!(isCard && request.mechanism === 'sbh-2017'));
        // Fine enough for a margin, and noise that is drawn, whatever ε and k are.
        const split = margins ? { time: '1/500', location: '1/400' } : {};
        expect(checkCertificate(certify({ ...request, ...(isCard && { maxTaps: k }), split }))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('holds at the ends of the ranges', () => {
    for (const request of [
      { ...base, epsilon: '1000', delta: '1e-399', split: {} },
      { ...base, epsilon: '1000', delta: '0.999', split: {} },
      { ...base, epsilon: '1/16384', delta: '1e-30', split: {} },
      { ...base, unit: 'card-window', maxTaps: 10_000, split: {} } as const,
    ]) {
      expect(checkCertificate(certify(request))).toEqual([]);
    }
  });
});

describe('broken twins: a certificate with one field changed is refused', () => {
  /** The decimal one unit further in its last digit. */
  const bump = (text: string) =>
    text.replace(/\d(?=(e.*)?$)/, (digit) => (digit === '9' ? '8' : `${Number(digit) + 1}`));
  const twins: [string, keyof typeof good, Partial<Record<keyof Certificate | 'extra', unknown>>][] = [
    ['format', 'trip', { format: 'opaline-certificate/6' }],
    ['rows out of place', 'trip', { rows: 'taps' }],
    ['what a row holds', 'tap of a trip', { rows: 'taps' }],
    ['worstPattern of a tap of a trip', 'tap of a trip', { worstPattern: [1] }],
    ['an unknown field', 'trip', { extra: 1 }],
    ['mechanism', 'trip', { mechanism: 'complete-domain' }],
    ['mechanism', 'complete domain', { mechanism: 'stability-histogram' }],
    ['unit', 'trip', { unit: 'tap' }],
    ['unit', 'tap', { unit: 'trip' }],
    ['unit of a card', 'card', { unit: 'card-window' }],
    ['maxTaps', 'card', { maxTaps: 3 }],
    ['no maxTaps', 'card', { maxTaps: undefined }],
    ['maxTaps out of place', 'trip', { maxTaps: 2 }],
    ['clamp', 'left-out taps', { clamp: 2 }],
    ['no clamp', 'left-out taps', { clamp: undefined }],
    ['clamp out of place', 'trip', { clamp: 2 }],
    ['clamp without a share', 'card', { clamp: 4 }],
    ['scale of left-out taps', 'left-out taps', { leftOutScale: '6' }],
    ['no scale of left-out taps', 'left-out taps', { leftOutScale: undefined }],
    ['scale of left-out taps not in lowest terms', 'left-out taps', { leftOutScale: '24/2' }],
    ['share of left-out taps as one of checks', 'left-out taps', { split: { cells: '15/2', checks: '1/2' } }],
    ['other limits of rejects', 'rejects', { rejects: { bus: 101 } }],
    ['no limits of rejects', 'rejects', { rejects: undefined }],
    ['limits of rejects out of place', 'trip', { rejects: { bus: 100 } }],
    ['limits of rejects of a card', 'card', { rejects: { bus: 100 } }],
    ['scale of rejects', 'rejects', { leftOutScale: '4' }],
    ['no scale of rejects', 'rejects', { leftOutScale: undefined }],
    ['share of rejects as a margin', 'rejects', { split: { cells: '15/2', time: '1/2' } }],
    ['neighbours', 'trip', { neighbours: 'add-remove' }],
    ['publish', 'trip', { publish: 'on' }],
    ['publish of a tap', 'tap', { publish: 'on' }],
    ['epsilon', 'trip', { epsilon: '7' }],
    ['epsilon not in lowest terms', 'trip', { epsilon: '16/2' }],
    ['epsilon as a decimal', 'trip', { epsilon: '8.0' }],
    ['epsilon over 1', 'trip', { epsilon: '8/1' }],
    ['delta', 'trip', { delta: '1/10000000' }],
    ['delta larger', 'trip', { delta: '1/100000' }],
    ['delta of 0', 'trip', { delta: '0' }],
    ['delta of 1', 'trip', { delta: '1' }],
    ['delta of a complete domain', 'complete domain', { delta: '1/1000' }],
    ['delta of sbh-2017', 'sbh-2017', { delta: '1/1000000' }],
    ['split', 'trip', { split: { cells: '36/5', time: '2/5', location: '1/2' } }],
    ['split exchanged', 'trip', { split: { cells: '36/5', time: '1/2', location: '3/10' } }],
    ['a share of 0', 'tap', { split: { cells: '8', time: '0' } }],
    ['checks as a margin', 'trip with checks', { split: { cells: '79/10', time: '1/10' } }],
    ['d1', 'trip', { d1: 2 }],
    ['scale', 'trip', { scale: '1/2' }],
    ['margin scale', 'trip', { marginScales: { time: '40/3', location: '7' } }],
    ['no margin scale', 'trip', { marginScales: { time: '40/3' } }],
    ['threshold lower', 'trip', { threshold: 8 }],
    ['threshold higher', 'trip', { threshold: 10 }],
    ['no threshold', 'trip', { threshold: null }],
    ['threshold 1', 'tap', { threshold: 1 }],
    ['threshold as text', 'trip', { threshold: '9' }],
    ['threshold of a complete domain', 'complete domain', { threshold: 2 }],
    ['threshold of sbh-2017 lower', 'sbh-2017', { threshold: 17 }],
    ['threshold of sbh-2017 higher', 'sbh-2017', { threshold: 19 }],
    ['alphaLower', 'trip', { alphaLower: bump(good.trip!.alphaLower!) }],
    ['alphaUpper', 'trip', { alphaUpper: bump(good.trip!.alphaUpper!) }],
    ['alpha of a complete domain', 'complete domain', { alphaUpper: '0.5' }],
    ['deltaUpper', 'trip', { deltaUpper: bump(good.trip!.deltaUpper) }],
    ['deltaLower', 'trip', { deltaLower: bump(good.trip!.deltaLower) }],
    ['deltaUpper at the claim', 'trip', { deltaUpper: '0.000001' }],
    ['deltaLower of 0', 'trip', { deltaLower: '0' }],
    ['deltaUpper of sbh-2017', 'sbh-2017', { deltaUpper: bump(good['sbh-2017']!.deltaUpper) }],
    ['deltaUpper of a complete domain', 'complete domain', { deltaUpper: '1e-300' }],
    ['deltaUpper beyond all digits', 'trip', { deltaUpper: '1e-99999' }],
    ['worstPattern', 'trip', { worstPattern: [1] }],
    ['worstPattern of a card', 'card', { worstPattern: [4] }],
    ['worstPattern of a complete domain', 'complete domain', { worstPattern: [1] }],
    ['worstPattern of sbh-2017', 'sbh-2017', { worstPattern: [1, 1] }],
    ['rechecked shortened', 'trip', { rechecked: good.trip!.rechecked.slice(1) }],
    ['rechecked with a promise more', 'trip', { rechecked: [...good.trip!.rechecked, 'All is well.'] }],
    ['a mechanism for people', 'card', { mechanism: 'discrete-gaussian' }],
    ['another mechanism than for people', 'people', { mechanism: 'complete-domain' }],
    ['unit of people', 'people', { unit: 'trip' }],
    ['maxTaps of people', 'people', { maxTaps: 4 }],
    ['place', 'people', { place: 1 }],
    ['no place', 'people', { place: undefined }],
    ['place out of place', 'card', { place: 2 }],
    ['clamp of people', 'people', { clamp: 2 }],
    ['no clamp of people', 'people', { clamp: undefined }],
    ['neighbours of people', 'people', { neighbours: 'add-remove' }],
    ['σ² of cells', 'people', { scale: '100' }],
    ['σ² of another query', 'people', { marginScales: { ...good.people!.marginScales, time: good.people!.scale } }],
    ['σ² that cannot be drawn', 'people', { leftOutScale: '16777217' }],
    ['no σ² of left-out taps', 'people', { leftOutScale: undefined }],
    ['ρ', 'people', { rho: '1/10' }],
    ['no ρ', 'people', { rho: undefined }],
    ['ρ of Laplace noise', 'trip', { rho: '1/10' }],
    ['no α of Laplace noise', 'trip', { alphaLower: undefined, alphaUpper: undefined }],
    ['α of Gaussian noise', 'people', { alphaLower: '0.5', alphaUpper: '0.5' }],
    ['epsilon of people', 'people', { epsilon: '1' }],
    ['delta of people', 'people', { delta: '1/10000000' }],
    ['shares of people', 'people', { split: { ...good.people!.split, time: '1/10' } }],
    ['deltaUpper of people, below δ', 'people', { deltaUpper: good.people!.deltaLower, deltaLower: '1e-9' }],
    ['deltaLower of people, too far', 'people', { deltaLower: '9.9e-7' }],
    ['deltaUpper of people, a millionth lower', 'people', { deltaUpper: '9.9e-7', deltaLower: '9.8999999e-7' }],
    ['worstPattern of people', 'people', { worstPattern: [2] }],
    ['floor of people', 'people', { floor: 89 }],
    [
      'chances of a floor of people',
      'people',
      {
        shown: { ...good.people!.shown!, cell: { ...good.people!.shown!.cell, lone: good.people!.shown!.cell.empty } },
      },
    ],
    [
      'chances of an hour row of people',
      'people',
      {
        shown: {
          ...good.people!.shown!,
          hour: { ...good.people!.shown!.hour!, lone: good.people!.shown!.hour!.empty },
        },
      },
    ],
    ['chosenOn for nothing', 'trip', { chosenOn: 'data of 2016' }],
    ['chosenOn of other data', 'chosen on data', { chosenOn: 'two weeks of 2017' }],
    ['chosenOn hushed up', 'chosen on data', { chosenOn: undefined }],
    ['chosenOn of several lines', 'chosen on data', { chosenOn: 'two\nweeks' }],
    ['chosenOn denied', 'chosen on data', { assumptions: [...good['chosen on data']!.assumptions, UNCHOSEN] }],
    ['an assumption left out', 'trip', { assumptions: good.trip!.assumptions.slice(1) }],
    ['no assumptions', 'sbh-2017', { assumptions: [] }],
  ];

  test.each(twins)('%s of %s', (_, name, change) => {
    const problems = checkCertificate({ ...good[name], ...change });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(/^[^\n]+\.$/);
  });

  test('δ of people is compared with one of its own, from both sides', () => {
    for (const [deltaLower, deltaUpper] of [
      ['9.7e-7', '9.7000001e-7'],
      ['9.99999999e-7', '0.000001'],
    ])
      expect(checkCertificate({ ...good.people, deltaLower, deltaUpper })).toEqual([
        expect.stringContaining('δ at ε = 2 is not from'),
      ]);
  });

  test('that of a week of a city of five million cards takes less than two seconds of a processor', () => {
    const split = { time: '2/25', location: '3/25', bounded: '1/25' };
    const city = { ...base, mechanism: 'discrete-gaussian', unit: 'card-window', maxTaps: 28, place: 2 } as const;
    const certificate = certify({ ...city, clamp: 28, epsilon: '1', delta: '1e-8', neighbours: 'add-remove', split });
    const before = process.cpuUsage();
    expect(checkCertificate(certificate)).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(2_000_000);
  });

  test('every field of a certificate has a twin', () => {
    const changed = new Set(twins.flatMap(([, , change]) => Object.keys(change)));
    expect(Object.keys({ ...good['left-out taps'], ...good.rejects }).filter((field) => !changed.has(field))).toEqual(
      [],
    );
  });

  test('a missing field, and what is no certificate at all', () => {
    for (const [name, field] of ['card', 'left-out taps', 'rejects'].flatMap((kind) =>
      Object.keys(good[kind]!).map((key) => [kind, key] as const),
    )) {
      expect(checkCertificate({ ...good[name], [field]: undefined })).not.toEqual([]);
    }
    for (const value of [null, 1, 'certificate', [], {}]) expect(checkCertificate(value)).not.toEqual([]);
  });

  test('a further assumption is welcome', () => {
    const assumptions = [...good.trip!.assumptions, 'Parameters were chosen with uncharged access to data of 2016.'];
    expect(checkCertificate({ ...good.trip, assumptions })).toEqual([]);
  });
});
