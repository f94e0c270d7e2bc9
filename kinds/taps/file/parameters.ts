import { z } from 'zod';
import type { Share } from '../../../contracts/certificate.ts';
import { askedParameters, tapsFileSchema } from '../series.ts';

/** A parameter, with a dot where it is a field of another. */
type Parameter = keyof typeof askedParameters.shape | `split.${Share}` | 'hours.floor';

/**
 * What a parameter means, in Markdown: `does` is on the command line and the page of series files, `more` on that page
 * alone. `usual` is as in FieldNote. `value`: how the option of the command line takes it; absent where there is none.
 */
type Meaning = { usual: string; does: string; more?: string; value?: `<${string}>` | '[floor]' };

const MEANINGS: Readonly<Record<Parameter, Meaning>> = {
  mechanism: {
    usual: '`stability-histogram`',
    does: 'how counts are made private',
    more: '`complete-domain` has noise on every cell, δ = 0, and at most 20 million cells.',
    value: '<name>',
  },
  unit: { usual: '—', does: 'what is protected', value: '<name>' },
  maxTaps: { usual: 'none', does: 'card units: how many taps of one card are counted', value: '<k>' },
  clamp: {
    usual: '`maxTaps`',
    does: 'with the share `bounded`: the most taps of one card that are counted of those that the bound leaves out',
    more: 'A larger one counts more of those who travel most, and has more noise.',
    value: '<n>',
  },
  rejects: {
    usual: 'none',
    does: 'units `tap` and `trip`, with the share `checks`: by mode the most taps that may be rejected on a day',
    more: 'In a file: `{ bus: 5000 }`. They are compared with noisy numbers, which left-out.csv publishes. A release over a limit fails its audit: nobody can approve it, and its ε is spent. Choose limits by what the supplier promises, never from the data; `opaline check` says how often noise alone passes them.',
    value: '<mode=n...>',
  },
  neighbours: { usual: '`replace-one`', does: 'replace one unit, or add or remove it', value: '<kind>' },
  publish: { usual: '`on+off`', does: 'which ends of a trip are published', value: '<taps>' },
  epsilon: { usual: '—', does: 'ε of one whole release: 8, 36/5 or 0.5', value: '<e>' },
  delta: { usual: '—', does: 'δ of one whole release: 1e-6, or 0 for `complete-domain` only', value: '<d>' },
  split: { usual: 'all to cells', does: 'shares of ε; they add up to ε exactly' },
  'split.cells': {
    usual: 'what is left',
    does: 'share of ε for the cells',
    more: 'It decides scale and threshold.',
    value: '<e>',
  },
  'split.time': {
    usual: 'none',
    does: 'share of ε for the noisy margin by time',
    more: 'With it there are remainder rows.',
    value: '<e>',
  },
  'split.location': { usual: 'none', does: 'share of ε for the noisy margin by location', value: '<e>' },
  'split.bounded': {
    usual: 'none',
    does: 'card units: share of ε for a noisy count of the taps that `maxTaps` leaves out',
    more: 'It is published by mode, day and end in left-out.csv; the statement names their number with an interval.',
    value: '<e>',
  },
  'split.checks': {
    usual: 'none',
    does: 'share of ε for the noisy numbers of rejected taps, with `rejects`',
    more: 'A tenth of ε is plenty for large series.',
    value: '<e>',
  },
  floor: {
    usual: 'by the rule',
    does: 'complete-domain: cells are published from this noisy count on; `none`: every cell is',
    more: 'Left out, it is the smallest that shows a lone unit with a chance of at most 1 in 10,000.',
    value: '<n>',
  },
  hours: {
    usual: 'none',
    does: 'complete-domain: rows for whole hours, sums of what no cell shows',
    more: 'In a file `{}` is enough. Time bins are at most 30 minutes.',
    value: '[floor]',
  },
  'hours.floor': { usual: 'by the rule', does: 'hour rows are published from this sum on; at least `floor`' },
  chosenOn: {
    usual: 'none',
    does: 'confidential data that parameters were chosen on without a charge, in a few words, such as `the week before the first release`',
    more: 'The certificate then says "Parameters were chosen with uncharged access to data of …"',
  },
};

const PARAMETERS = Object.entries(MEANINGS);

/** The words that a parameter can be, where they are fixed. */
function wordsOf(shape: Readonly<Record<string, z.ZodType>>, parameter: string): string[] | undefined {
  const field = shape[parameter];
  const inner = field instanceof z.ZodDefault ? field.unwrap() : field;
  return inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
}

/** The rows of the page of series files. */
export const parameterNotes = (): (readonly [field: string, usual: string, meaning: string])[] =>
  PARAMETERS.map(([parameter, { usual, does, more }]) => {
    const words = wordsOf(tapsFileSchema.shape.privacy.shape, parameter)?.map((word) => `\`${word}\``);
    const first = words ? `${does}: ${words.join(', ')}` : does;
    return [`privacy.${parameter}`, usual, more === undefined ? first : `${first}. ${more}`];
  });

/** `--max-taps` for maxTaps, and `--cells` for split.cells. */
export const optionOf = (parameter: string): string =>
  `--${parameter.replace(/^split\./, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The options of the command line. */
export const PARAMETER_OPTIONS = PARAMETERS.flatMap(([parameter, { usual, does, value }]) => {
  if (value === undefined) return [];
  const isRequired = usual === '—';
  const text = isRequired || usual === 'none' ? does : `${does}; without it ${usual}`;
  const choices = wordsOf(askedParameters.shape, parameter);
  return [{ flags: `${optionOf(parameter)} ${value}`, does: text.replaceAll('`', ''), isRequired, choices }];
});
