import type { Command } from 'commander';
import { z } from 'zod';
import {
  type Certificate,
  MECHANISM_NAMES,
  NEIGHBOURS,
  PUBLISHED_TAPS,
  rejectLimit,
  type ShownChance,
  SOURCE_ROWS,
  UNIT_NAMES,
} from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { seriesName } from '../../../contracts/series.ts';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { amountText } from '../../../core/rational/amount-text.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { facts, lines } from '../../../core/text/lines.ts';
import { readWholeNumber } from '../../../core/text/whole-number.ts';
import { readEpsilon } from '../../../counts/certificate/amounts.ts';
import { type CertificateRequest, certify } from '../../../counts/certificate/certificate.ts';
import { usualFloors } from '../../../counts/certificate/floors.ts';
import { wrongAlarm } from '../../../counts/certificate/reject-limit.ts';
import { smallestSplit } from '../../../counts/certificate/smallest-share.ts';
import { readSplit } from '../../../counts/certificate/split.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import type { CommandTools } from '../../kind-command.ts';

const SHARES = ['cells', 'time', 'location', 'bounded', 'checks'] as const;
type Share = (typeof SHARES)[number];

const isNumber = (text: string): boolean => {
  try {
    parseRational(text);
    return true;
  } catch {
    return false;
  }
};

/** What is no number at all is wrong use; a number out of range is refused by the certificate itself. */
const amount = z.string().refine(isNumber, 'a number such as 8, 36/5, 0.5 or 1e-6');
const whole = z
  .string()
  .regex(/^\d{1,15}$/, 'a whole number')
  .transform(Number);
const limits = z
  .array(z.string())
  .transform((texts) => Object.fromEntries(texts.map((text) => text.split(/=(.*)/s))))
  .pipe(z.record(seriesName, whole.pipe(rejectLimit)));

/** The options that are not taken as they are written. */
const numbers = z.object({
  epsilon: amount,
  delta: amount,
  ...(Object.fromEntries(SHARES.map((name) => [name, amount.optional()])) as Record<
    Share,
    z.ZodOptional<typeof amount>
  >),
  maxTaps: whole.optional(),
  clamp: whole.optional(),
  rejects: limits.optional(),
  floor: z.literal('none').or(whole).optional(),
  hours: z.literal(true).or(whole).optional(),
  bins: whole,
  draws: whole.optional(),
});

/** Throws USAGE that names the first option that is no number. */
function readNumbers(options: object): z.output<typeof numbers> {
  const read = numbers.safeParse(options);
  if (read.success) return read.data;
  const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
  const option = `--${String(path[0]).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (option === '--rejects') throw wrongUse('--rejects takes modes with whole numbers, such as bus=5000 ferry=200.');
  throw wrongUse(`${option} takes ${message === 'Invalid input' ? 'a whole number' : message}.`);
}

/** Draws that are made at once. */
const MOST_DRAWS = 1_000_000;

export const certifyCommand = ({ command, randomness }: CommandTools): Command =>
  command('certify', 'print the certificate of privacy parameters; needs no data and no running stack')
    .required('--mechanism <name>', 'how counts are made private', MECHANISM_NAMES)
    .required('--unit <name>', 'what is protected', UNIT_NAMES)
    .option('--max-taps <k>', 'card units: how many taps of one card are counted')
    .required('--neighbours <kind>', 'replace one unit, or add or remove it', NEIGHBOURS)
    .usual('--publish <taps>', 'ends of a trip that are published', 'on+off', PUBLISHED_TAPS)
    .option('--rows <what>', 'unit tap: what a row holds; without it trips', SOURCE_ROWS)
    .required('--epsilon <e>', 'ε of the whole release: 8, 36/5 or 0.5')
    .required('--delta <d>', 'δ of the whole release: 0 or 1e-6')
    .option('--split', 'find the smallest share of the cells that keeps the threshold; margins get the rest')
    .option('--cells <e>', 'share of ε for cells; without it they get what is left')
    .option('--time <e>', 'share of ε for the margin over time bins')
    .option('--location <e>', 'share of ε for the margin over locations')
    .option('--bounded <e>', 'card units: share of ε for a noisy count of the taps that the bound leaves out')
    .option('--clamp <n>', 'with --bounded: the most left-out taps of one card that are counted; else as --max-taps')
    .option('--checks <e>', 'units tap and trip: share of ε for noisy numbers of rejected taps, with --rejects')
    .option('--rejects <mode=n...>', 'with --checks: the most rejected taps of a mode on a day, such as bus=5000')
    .option('--floor <n>', 'complete-domain: publish cells from this noisy count on; without it by the rule, or none')
    .option('--hours [n]', 'complete-domain: rows for whole hours, from this sum on or by the rule')
    .usual('--bins <n>', 'time bins of an hour, for hour rows', '4')
    .option('--draws <n>', 'draw the noise of a cell n times, for those who want to test the sampler')
    .example('opaline certify --mechanism complete-domain --unit trip --neighbours replace-one --epsilon 8 --delta 0')
    .run(async (_, options) => {
      const given = readNumbers(options);
      const request = readRequest(options, given);
      const split = options.split ? smallestSplit(request) : request.split;
      const certificate = certify({ ...request, ...readFloors(given, { ...request, split }), split });
      if (given.draws === undefined) return { value: certificate, text: certificateText(certificate) };
      const draws = drawNoise(certificate, given.draws, await randomness());
      return { value: { scale: certificate.scale, draws }, text: draws.join('\n') };
    });

/** Draws of the noise of a cell, as a release would make them. Throws USAGE. */
function drawNoise({ mechanism, scale }: Certificate, count: number, source: RandomSource): number[] {
  if (MECHANISMS[mechanism].drawnNoise !== 'discrete-laplace') throw wrongUse(`Nothing is drawn by ${mechanism}.`);
  const draws = new Int32Array(readWholeNumber('--draws', String(count), MOST_DRAWS));
  discreteLaplace(parseRational(scale), source).fill(draws);
  return [...draws];
}

type Given = ReturnType<typeof readNumbers>;
type Options = Pick<CertificateRequest, 'mechanism' | 'unit' | 'neighbours' | 'publish' | 'rows'> & { split?: true };

function readRequest(options: Options, given: Given): CertificateRequest {
  const { mechanism, unit, neighbours, publish, rows } = options;
  const { epsilon, delta, maxTaps, bounded, checks, rejects } = given;
  const shares = SHARES.filter((name) => given[name] !== undefined);
  if (options.split && shares.length > 0)
    throw wrongUse('--split finds the shares itself; leave out --cells, --time, --location, --bounded and --checks.');
  // A share without limits pays for nothing.
  if ((checks === undefined) !== (rejects === undefined))
    throw wrongUse('--checks and --rejects go together: the share, and the limits that it is for.');
  // The most left-out taps of one card that are counted; its range is for the certificate to judge.
  const clamp = given.clamp ?? (bounded === undefined ? undefined : maxTaps);
  const split = Object.fromEntries(shares.map((name) => [name, given[name]]));
  return { mechanism, unit, neighbours, publish, rows, epsilon, delta, maxTaps, clamp, rejects, split };
}

/** The floors that are asked for, and those that follow from the rule. */
function readFloors(
  { floor, hours, bins }: Given,
  request: CertificateRequest,
): Pick<CertificateRequest, 'floor' | 'hours'> {
  const { cells } = readSplit(readEpsilon(request.epsilon), request.split);
  const asked = hours === undefined ? undefined : { bins, floor: hours === true ? undefined : hours };
  return usualFloors({ floor, hours: asked }, request, cells);
}

const shownText = ({ lone, empty }: ShownChance): string =>
  `with one unit alone there ${lone.upper}, with nobody ${empty.upper}`;

/** A limit of rejects, and how often noise alone is over it on a day. */
function rejectText(certificate: Certificate, mode: string, most: number): string {
  const chance = wrongAlarm({ ...certificate, rejects: { [mode]: most } }, { days: 1 })!;
  const days = Math.min(Math.floor(1 / chance), 1e9).toLocaleString('en');
  return `at most ${most} taps of ${mode} a day; noise alone is over it on 1 day in ${days} or more`;
}

function certificateText(certificate: Certificate): string {
  const { mechanism, unit, neighbours, publish, maxTaps, clamp, split, threshold, floor, hours, shown } = certificate;
  const { marginScales, leftOutScale, rejects = {} } = certificate;
  const shares = SHARES.flatMap((name) => (split[name] === undefined ? [] : `${amountText(split[name])} ${name}`));
  const noise = [
    `${MECHANISMS[mechanism].noiseWords} of scale ${certificate.scale} for a cell`,
    ...Object.entries(marginScales).map(([name, scale]) => `${scale} for the margin of ${name}`),
  ];
  if (leftOutScale !== undefined)
    noise.push(
      `${leftOutScale} for ${clamp === undefined ? 'rejected taps' : `left-out taps, at most ${clamp} of one card`}`,
    );
  const list = (title: string, sentences: string[]) => ['', title, sentences.map((sentence) => `  - ${sentence}`)];
  return lines(
    facts(16, [
      ['mechanism', mechanism],
      ['unit', maxTaps === undefined ? unit : `${unit}, at most ${maxTaps} taps`],
      ['neighbours', `${neighbours}; published taps: ${publish}`],
      ['epsilon', `${amountText(certificate.epsilon)} = ${shares.join(' + ')}`],
      ['delta asked for', amountText(certificate.delta)],
      ['delta proved', `from ${certificate.deltaLower} to ${certificate.deltaUpper}`],
      ['D1', `${certificate.d1}: the most that one unit changes all counts together`],
      ['noise', noise.join(', ')],
      [
        floor === undefined ? 'threshold' : 'floor',
        threshold === null ? 'none: every cell is published' : `${threshold}: a noisy count is published from it on`,
      ],
      shown && ['shows a cell', shownText(shown.cell)],
      hours && ['hour rows', `from ${hours.floor} on, of ${hours.bins} time bins`],
      shown?.hour && ['shows an hour', shownText(shown.hour)],
      ...Object.entries(rejects).map(([mode, most]) => ['rejects', rejectText(certificate, mode, most)] as const),
    ]),
    list('Anyone can check again from the manifest:', certificate.rechecked),
    list('Attested by the publisher, and not checkable from outside:', certificate.assumptions),
  );
}
