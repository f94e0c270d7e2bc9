import { Command, Option } from 'commander';
import {
  type Certificate,
  MECHANISM_NAMES,
  NEIGHBOURS,
  PUBLISHED_TAPS,
  UNIT_NAMES,
  type Unit,
} from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type CertificateRequest, certify } from '../../core/certificate/certificate.ts';
import { smallestSplit } from '../../core/certificate/smallest-share.ts';
import type { CardScope } from '../../core/certificate/units.ts';
import { MECHANISMS } from '../../core/mechanisms/mechanisms.ts';
import { parseRational } from '../../core/rational/rational.ts';
import { amountText } from '../amount-text.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

const SHARES = ['cells', 'time', 'location'] as const;

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

type Options = OutputOptions &
  Pick<CertificateRequest, 'mechanism' | 'neighbours' | 'publish' | 'epsilon' | 'delta'> &
  Partial<Record<(typeof SHARES)[number], string>> & {
    unit: string;
    scope?: CardScope;
    maxTaps?: string;
    split?: boolean;
  };

export function certifyCommand(): Command {
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
    .requiredOption('--epsilon <e>', 'ε of the whole release: 8, 36/5 or 0.5')
    .requiredOption('--delta <d>', 'δ of the whole release: 0 or 1e-6')
    .option('--split', 'find the smallest share of the cells that keeps the threshold; margins get the rest')
    .option('--cells <e>', 'share of ε for cells; without it they get what is left')
    .option('--time <e>', 'share of ε for the margin over time bins')
    .option('--location <e>', 'share of ε for the margin over locations');
  define(
    command,
    'opaline certify --mechanism stability-histogram --unit trip --neighbours replace-one --publish on+off --epsilon 8 --delta 1e-6 --split',
    async (_, options: Options) => {
      const request = readRequest(options);
      const split = options.split ? smallestSplit(request) : request.split;
      const certificate = certify({ ...request, split });
      print(options, certificate, certificateText(certificate));
    },
  );
  return command;
}

function readRequest(options: Options): CertificateRequest {
  const { mechanism, neighbours, publish, epsilon, delta } = options;
  for (const name of ['epsilon', 'delta', ...SHARES] as const) requireNumber(name, options[name]);
  const given = SHARES.filter((name) => options[name] !== undefined);
  if (options.split && given.length > 0)
    throw new OpalineError('USAGE', '--split finds the shares itself; leave out --cells, --time and --location.');
  return {
    mechanism,
    unit: readUnit(options),
    ...(options.maxTaps !== undefined && { maxTaps: readMaxTaps(options.maxTaps) }),
    neighbours,
    publish,
    epsilon,
    delta,
    split: Object.fromEntries(given.map((name) => [name, options[name]])),
  };
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

/** The range of k is for the certificate to judge. */
function readMaxTaps(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new OpalineError('USAGE', `--max-taps takes a whole number, not ${text}.`);
}

function readUnit({ unit, scope }: Options): Unit {
  const found = UNIT_NAMES.find((name) => ASKED_AS[name].unit === unit && ASKED_AS[name].scopes.includes(scope));
  if (found !== undefined) return found;
  throw new OpalineError('USAGE', '--scope goes with --unit card only.');
}

function certificateText(certificate: Certificate): string {
  const { mechanism, unit, neighbours, publish, maxTaps, split, marginScales, threshold } = certificate;
  const shares = SHARES.filter((name) => split[name] !== undefined).map(
    (name) => `${amountText(split[name]!)} ${name}`,
  );
  const margins = Object.entries(marginScales).map(([name, scale]) => `${scale} for the margin of ${name}`);
  const lines: [string, string][] = [
    ['mechanism', mechanism],
    ['unit', maxTaps === undefined ? unit : `${unit}, at most ${maxTaps} taps`],
    ['neighbours', `${neighbours}; published taps: ${publish}`],
    ['epsilon', `${amountText(certificate.epsilon)} = ${shares.join(' + ')}`],
    ['delta asked for', amountText(certificate.delta)],
    ['delta proved', `from ${certificate.deltaLower} to ${certificate.deltaUpper}`],
    ['D1', `${certificate.d1}: the most that one unit changes all counts together`],
    ['noise', [`${MECHANISMS[mechanism].words.noise} of scale ${certificate.scale} for a cell`, ...margins].join(', ')],
    [
      'threshold',
      threshold === null ? 'none: every cell is published' : `${threshold}: a noisy count is published from it on`,
    ],
  ];
  const list = (title: string, sentences: string[]) => ['', title, ...sentences.map((sentence) => `  - ${sentence}`)];
  return [
    ...lines.map(([name, value]) => `${name.padEnd(16)} ${value}`),
    ...list('Anyone can check again from the manifest:', certificate.rechecked),
    ...list('Attested by the publisher, and not checkable from outside:', certificate.assumptions),
  ].join('\n');
}
