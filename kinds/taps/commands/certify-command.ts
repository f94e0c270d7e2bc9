import type { Command } from 'commander';
import { z } from 'zod';
import { type Certificate, SHARES, type ShownChance, SOURCE_ROWS } from '../../../contracts/certificate.ts';
import { wrongUse } from '../../../contracts/errors.ts';
import { amountText } from '../../../core/rational/amount-text.ts';
import { facts, lines } from '../../../core/text/paragraphs.ts';
import { readWholeNumber } from '../../../core/text/whole-number.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import { wrongAlarm } from '../../../counts/certificate/reject-limit.ts';
import { smallestSplit } from '../../../counts/certificate/smallest-share.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { makeNoise } from '../../../counts/mechanisms/noise.ts';
import { has } from '../../../services/files/fields.ts';
import { schemaMistakes } from '../../../services/files/sentences.ts';
import type { CommandTools } from '../../kind-command.ts';
import { TAPS_FIELD_NOTES } from '../file/field-notes.ts';
import { askedParameters } from '../series.ts';
import { completeParameters } from '../taps-certificate.ts';

/** Time bins of an hour: none is shorter than five minutes. */
const MOST_BINS = 12;

/** Draws that are made at once. */
const MOST_DRAWS = 1_000_000;

const isShare = (name: string): boolean => SHARES.some((share) => share === name);

/** Values of options that are more than a word. */
const FORMS: Readonly<Record<string, string>> = { hours: '[floor]', rejects: '<mode=n...>' };

/** `--max-taps` for maxTaps. */
const optionOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An option for each parameter of a series file, with the first sentence of what it means there. */
const PARAMETER_OPTIONS = TAPS_FIELD_NOTES.flatMap(({ field, usual, meaning }) => {
  const { chosenOn: _, split: __, ...named } = askedParameters.shape;
  const [, name = ''] = /^privacy\.(?:split\.)?([a-zA-Z]+)$/.exec(field) ?? [];
  if (!isShare(name) && !(name in named)) return [];
  const form: unknown = named[name as keyof typeof named];
  const words = form instanceof z.ZodDefault ? form.unwrap() : form;
  const choices = words instanceof z.ZodEnum ? words.options.map(String) : undefined;
  const [does = ''] = meaning.split(choices ? ': ' : '. ');
  const text = usual === '—' || usual === 'none' ? does : `${does}; without it ${usual}`;
  const flags = `${optionOf(name)} ${FORMS[name] ?? '<value>'}`;
  return [{ flags, does: text.replaceAll(/[`.]$|`/g, ''), isRequired: usual === '—', choices }];
});

export function certifyCommand({ command, randomness }: CommandTools): Command {
  let builder = command('certify', 'print the certificate of privacy parameters; needs no data and no running stack');
  for (const { flags, does, isRequired, choices } of PARAMETER_OPTIONS)
    builder = isRequired ? builder.required(flags, does, choices) : builder.option(flags, does, choices);
  return builder
    .option('--rows <what>', 'unit tap: what a row holds; without it trips', SOURCE_ROWS)
    .option('--split', 'find the smallest share of the cells that keeps the threshold; margins get the rest')
    .usual('--bins <n>', 'time bins of an hour, for hour rows', '4')
    .option('--draws <n>', 'draw the noise of a cell n times, for those who want to test the sampler')
    .example('opaline certify --mechanism complete-domain --unit trip --neighbours replace-one --epsilon 8 --delta 0')
    .run(async (_, { rows, split, bins, draws, ...options }) => {
      const request = readParameters(options);
      if (split && Object.keys(request.split).length > 0)
        throw wrongUse(`--split finds the shares itself; leave out ${SHARES.map(optionOf).join(', ')}.`);
      // A share without limits pays for nothing.
      if ((request.split.checks === undefined) !== (request.rejects === undefined))
        throw wrongUse('--checks and --rejects go together: the share, and the limits that it is for.');
      const shares = split ? smallestSplit({ ...request, rows }) : request.split;
      const complete = completeParameters(
        { ...request, split: shares },
        readWholeNumber('--bins', bins, MOST_BINS),
        null,
      );
      const certificate = certify({ ...complete, rows });
      if (draws === undefined) return { value: certificate, text: certificateText(certificate) };
      // As a release would draw the noise of a cell. Throws CERTIFICATE_IMPOSSIBLE of ideal noise.
      const noise = new Int32Array(readWholeNumber('--draws', draws, MOST_DRAWS));
      makeNoise(certificate, await randomness()).cells(new Uint32Array(noise.length), noise);
      return { value: { scale: certificate.scale, draws: [...noise] }, text: noise.join('\n') };
    });
}

/** As a series file would say it: what is written as a whole number is one. */
const parseScalar = (text: string): string | number => (/^\d{1,15}$/.test(text) ? Number(text) : text);

type Given = { json?: unknown; hours?: unknown; rejects?: unknown; [option: string]: unknown };

/** The parameters that options ask for. Throws USAGE that names the first option that does not fit. */
function readParameters({ json: _, hours, rejects, ...options }: Given): z.output<typeof askedParameters> {
  const own = Object.entries(options).map(([name, text]) => [name, parseScalar(String(text))] as const);
  const fields = {
    ...Object.fromEntries(own.filter(([name]) => !isShare(name))),
    split: Object.fromEntries(own.filter(([name]) => isShare(name))),
    hours: hours === true ? {} : hours && { floor: parseScalar(String(hours)) },
    rejects: Array.isArray(rejects) ? Object.fromEntries(rejects.map(limitOf)) : undefined,
  };
  const outcome = askedParameters.safeParse(fields);
  if (outcome.success) return outcome.data;
  const [mistake] = schemaMistakes(outcome.error.issues, (path) => has(fields, path));
  const { path, sentence } = mistake!;
  throw wrongUse(`${optionOf(String(path[path[0] === 'split' ? 1 : 0]))}: ${sentence}`);
}

/** Of `bus=5000`. */
function limitOf(text: string): [mode: string, most: string | number] {
  const [mode = '', most = ''] = text.split(/=(.*)/s);
  return [mode, parseScalar(most)];
}

const chanceText = ({ lone, empty }: ShownChance): string =>
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
  const { noiseWords, whyNotReleased, shares: whole } = MECHANISMS[mechanism];
  const ofRho = whole === 'of ρ';
  const shares = SHARES.flatMap((name) => (split[name] === undefined ? [] : `${amountText(split[name])} ${name}`));
  const noise = [
    `${noiseWords} ${ofRho ? 'with σ²' : 'of scale'} ${certificate.scale} for a cell`,
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
      ['epsilon', `${amountText(certificate.epsilon)}${ofRho ? '' : ` = ${shares.join(' + ')}`}`],
      ['delta asked for', amountText(certificate.delta)],
      ['delta proved', `from ${certificate.deltaLower} to ${certificate.deltaUpper}`],
      certificate.rho !== undefined && ['rho', `${certificate.rho}, of which ${shares.join(' + ')}`],
      whyNotReleased !== null && ['releases', whyNotReleased],
      ['D1', `${certificate.d1}: the most that one unit changes all counts together`],
      ['noise', noise.join(', ')],
      [
        floor === undefined ? 'threshold' : 'floor',
        threshold === null ? 'none: every cell is published' : `${threshold}: a noisy count is published from it on`,
      ],
      shown && ['shows a cell', chanceText(shown.cell)],
      hours && ['hour rows', `from ${hours.floor} on, of ${hours.bins} time bins`],
      shown?.hour && ['shows an hour', chanceText(shown.hour)],
      ...Object.entries(rejects).map(([mode, most]) => ['rejects', rejectText(certificate, mode, most)] as const),
    ]),
    list('Anyone can check again from the manifest:', certificate.rechecked),
    list('Attested by the publisher, and not checkable from outside:', certificate.assumptions),
  );
}
