import { Command, Option } from 'commander';
import { z } from 'zod';
import {
  type Certificate,
  MECHANISM_NAMES,
  NEIGHBOURS,
  PUBLISHED_TAPS,
  type ShownChance,
  SOURCE_ROWS,
  UNIT_NAMES,
  type Unit,
} from '../../../contracts/certificate.ts';
import { rejectLimit } from '../../../contracts/certificate-shape.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { seriesName } from '../../../contracts/series.ts';
import { amountText } from '../../../core/rational/amount-text.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { readEpsilon } from '../../../counts/certificate/amounts.ts';
import { type CertificateRequest, certify } from '../../../counts/certificate/certificate.ts';
import { type Design, possibleDesigns } from '../../../counts/certificate/designs.ts';
import { usualFloors } from '../../../counts/certificate/floors.ts';
import { wrongAlarm } from '../../../counts/certificate/reject-limit.ts';
import { smallestSplit } from '../../../counts/certificate/smallest-share.ts';
import { readSplit } from '../../../counts/certificate/split.ts';
import type { CardScope } from '../../../counts/certificate/units.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { type EarlierRelease, expectedUtility } from '../../../counts/readers/expected-utility.ts';
import type { CommandTools } from '../../kind-command.ts';
import { designsText, type ExpectedDesign } from './designs-text.ts';
import { readEarlierRelease } from './earlier-release.ts';

const SHARES = ['cells', 'time', 'location', 'bounded', 'checks'] as const;

/**
 * How each unit is asked for: `--unit`, and the values of `--scope`. A card is protected per window unless the day is
 * asked for: the stronger promise.
 */
const ASKED_AS: Record<Unit, { unit: string; scopes: readonly (CardScope | undefined)[] }> = {
  tap: { unit: 'tap', scopes: [undefined] },
  trip: { unit: 'trip', scopes: [undefined] },
  'card-day': { unit: 'card', scopes: ['day'] },
  'card-window': { unit: 'card', scopes: ['window', undefined] },
};

const ASKED_UNITS = [...new Set(UNIT_NAMES.map((name) => ASKED_AS[name].unit))];

type Options = Pick<CertificateRequest, 'mechanism' | 'neighbours' | 'publish' | 'rows' | 'epsilon' | 'delta'> &
  Partial<Record<(typeof SHARES)[number], string>> & {
    unit: string;
    scope?: CardScope;
    maxTaps?: string;
    clamp?: string;
    rejects?: string[];
    split?: boolean;
    compare?: boolean;
    like?: string;
    floor?: string;
    hours?: string | boolean;
    bins?: string;
  };

export function certifyCommand({ define, verifiedPublication }: CommandTools): Command {
  const command = new Command('certify')
    .description('print the certificate of privacy parameters; needs no data and no running stack')
    .addOption(
      new Option('--mechanism <name>', 'how counts are made private').choices(MECHANISM_NAMES).makeOptionMandatory(),
    )
    .addOption(new Option('--unit <name>', 'what is protected').choices(ASKED_UNITS).makeOptionMandatory())
    .addOption(
      new Option('--scope <span>', 'unit card: the taps of a card per day, or per window').choices(['day', 'window']),
    )
    .option('--max-taps <k>', 'unit card: how many taps of one card are counted')
    .addOption(
      new Option('--neighbours <kind>', 'replace one unit, or add or remove it')
        .choices(NEIGHBOURS)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--publish <taps>', 'ends of a trip that are published').choices(PUBLISHED_TAPS).default('on+off'),
    )
    .addOption(new Option('--rows <what>', 'unit tap: what a row holds; without it trips').choices(SOURCE_ROWS))
    .requiredOption('--epsilon <e>', 'ε of the whole release: 8, 36/5 or 0.5')
    .requiredOption('--delta <d>', 'δ of the whole release: 0 or 1e-6')
    .option('--split', 'find the smallest share of the cells that keeps the threshold; margins get the rest')
    .option('--cells <e>', 'share of ε for cells; without it they get what is left')
    .option('--time <e>', 'share of ε for the margin over time bins')
    .option('--location <e>', 'share of ε for the margin over locations')
    .option('--bounded <e>', 'unit card: share of ε for a noisy count of the taps that the bound leaves out')
    .option('--clamp <n>', 'with --bounded: the most left-out taps of one card that are counted; else as --max-taps')
    .option('--checks <e>', 'units tap and trip: share of ε for noisy numbers of rejected taps, with --rejects')
    .option('--rejects <mode=n...>', 'with --checks: the most rejected taps of a mode on a day, such as bus=5000')
    .option('--floor <n>', 'complete-domain: publish cells from this noisy count on; without it by the rule, or none')
    .option('--hours [n]', 'complete-domain: rows for whole hours, from this sum on or by the rule')
    .option('--bins <n>', 'time bins of an hour, for hour rows', '4')
    .option('--compare', 'print the designs that this ε and unit allow side by side, whatever the mechanism')
    .option('--like <dir>', 'with --compare: an earlier publication, to estimate what each design would show');
  define(
    command,
    'opaline certify --mechanism stability-histogram --unit trip --neighbours replace-one --publish on+off --epsilon 8 --delta 1e-6 --split',
    async (_, options: Options) => {
      const request = readRequest(options);
      if (options.like !== undefined && !options.compare)
        throw new OpalineError('USAGE', '--like goes with --compare only.');
      if (options.compare) {
        const earlier =
          options.like === undefined ? null : await readEarlierRelease(await verifiedPublication(options.like));
        const designs = expectedDesigns(possibleDesigns(request, readWhole('bins', options.bins ?? '')), earlier);
        return { value: designs, text: designsText(designs) };
      }
      const split = options.split ? smallestSplit(request) : request.split;
      const floors = readFloors(options, { ...request, split });
      const certificate = certify({ ...request, ...floors, split });
      return { value: certificate, text: certificateText(certificate) };
    },
  );
  return command;
}

/** Each with what it would show of counts such as those of the earlier release, where one is named. */
const expectedDesigns = (designs: readonly Design[], earlier: EarlierRelease | null): ExpectedDesign[] =>
  designs.map((design) => (earlier ? { ...design, expected: expectedUtility(earlier, design.certificate) } : design));

function readRequest(options: Options): CertificateRequest {
  const { mechanism, neighbours, publish, rows, epsilon, delta } = options;
  for (const name of ['epsilon', 'delta', ...SHARES] as const) requireNumber(name, options[name]);
  const given = SHARES.filter((name) => options[name] !== undefined);
  if (options.split && given.length > 0)
    throw new OpalineError(
      'USAGE',
      '--split finds the shares itself; leave out --cells, --time, --location, --bounded and --checks.',
    );
  const counted = readClamp(options);
  const rejects = readRejects(options);
  return {
    mechanism,
    unit: readUnit(options),
    ...(options.maxTaps !== undefined && { maxTaps: readWhole('max-taps', options.maxTaps) }),
    ...(counted !== undefined && { clamp: counted }),
    ...(rejects && { rejects }),
    neighbours,
    publish,
    ...(rows && { rows }),
    epsilon,
    delta,
    split: Object.fromEntries(given.map((name) => [name, options[name]])),
  };
}

function readWhole(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new OpalineError('USAGE', `--${name} takes a whole number, not ${text}.`);
}

/** The floors that are asked for, and those that follow from the rule. */
function readFloors(
  { floor, hours, bins }: Options,
  request: CertificateRequest,
): Pick<CertificateRequest, 'floor' | 'hours'> {
  const { cells } = readSplit(readEpsilon(request.epsilon), request.split);
  return usualFloors(
    {
      ...(floor !== undefined && { floor: floor === 'none' ? floor : readWhole('floor', floor) }),
      ...(hours !== undefined && {
        hours: {
          bins: readWhole('bins', bins ?? ''),
          ...(typeof hours === 'string' && { floor: readWhole('hours', hours) }),
        },
      }),
    },
    request,
    cells,
  );
}

/** What is no number at all is wrong use; a number out of range is refused by the certificate itself. */
function requireNumber(name: string, text: string | undefined): void {
  if (text === undefined) return;
  try {
    parseRational(text);
  } catch {
    throw new OpalineError('USAGE', `--${name} takes a number such as 8, 36/5, 0.5 or 1e-6.`);
  }
}

/** The most left-out taps of one card that are counted; its range is for the certificate to judge. */
function readClamp({ clamp, bounded, maxTaps }: Options): number | undefined {
  if (clamp !== undefined) return readWhole('clamp', clamp);
  return bounded !== undefined && maxTaps !== undefined ? readWhole('max-taps', maxTaps) : undefined;
}

/** The most rejected taps of a day, by mode. A share without limits pays for nothing. */
function readRejects({ checks, rejects }: Options): CertificateRequest['rejects'] {
  if ((checks === undefined) !== (rejects === undefined))
    throw new OpalineError('USAGE', '--checks and --rejects go together: the share, and the limits that it is for.');
  if (!rejects) return undefined;
  const whole = z.string().regex(/^\d+$/).transform(Number).pipe(rejectLimit);
  const named = rejects.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  const asked = z.record(seriesName, whole).safeParse(Object.fromEntries(named));
  if (asked.success) return asked.data;
  throw new OpalineError('USAGE', '--rejects takes modes with whole numbers, such as bus=5000 ferry=200.');
}

function readUnit({ unit, scope }: Options): Unit {
  const found = UNIT_NAMES.find((name) => ASKED_AS[name].unit === unit && ASKED_AS[name].scopes.includes(scope));
  if (found !== undefined) return found;
  throw new OpalineError('USAGE', '--scope goes with --unit card only.');
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
  const shares = SHARES.filter((name) => split[name] !== undefined).map(
    (name) => `${amountText(split[name]!)} ${name}`,
  );
  const others = [
    ...Object.entries(marginScales).map(([name, scale]) => `${scale} for the margin of ${name}`),
    ...(leftOutScale === undefined
      ? []
      : [
          `${leftOutScale} for ${clamp === undefined ? 'rejected taps' : `left-out taps, at most ${clamp} of one card`}`,
        ]),
  ];
  const lines: [string, string][] = [
    ['mechanism', mechanism],
    ['unit', maxTaps === undefined ? unit : `${unit}, at most ${maxTaps} taps`],
    ['neighbours', `${neighbours}; published taps: ${publish}`],
    ['epsilon', `${amountText(certificate.epsilon)} = ${shares.join(' + ')}`],
    ['delta asked for', amountText(certificate.delta)],
    ['delta proved', `from ${certificate.deltaLower} to ${certificate.deltaUpper}`],
    ['D1', `${certificate.d1}: the most that one unit changes all counts together`],
    ['noise', [`${MECHANISMS[mechanism].noiseWords} of scale ${certificate.scale} for a cell`, ...others].join(', ')],
    [
      floor === undefined ? 'threshold' : 'floor',
      threshold === null ? 'none: every cell is published' : `${threshold}: a noisy count is published from it on`,
    ],
    ...(shown ? [['shows a cell', shownText(shown.cell)] satisfies [string, string]] : []),
    ...(hours ? [['hour rows', `from ${hours.floor} on, of ${hours.bins} time bins`] satisfies [string, string]] : []),
    ...(shown?.hour ? [['shows an hour', shownText(shown.hour)] satisfies [string, string]] : []),
    ...Object.entries(rejects).map(([mode, most]): [string, string] => [
      'rejects',
      rejectText(certificate, mode, most),
    ]),
  ];
  const list = (title: string, sentences: string[]) => ['', title, ...sentences.map((sentence) => `  - ${sentence}`)];
  return [
    ...lines.map(([name, value]) => `${name.padEnd(16)} ${value}`),
    ...list('Anyone can check again from the manifest:', certificate.rechecked),
    ...list('Attested by the publisher, and not checkable from outside:', certificate.assumptions),
  ].join('\n');
}
