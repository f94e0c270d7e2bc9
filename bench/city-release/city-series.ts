import { readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import type { LoadedSeries } from '../../client/series/series-file.ts';
import { policyFor } from '../../examples/prepare.ts';
import { sameNames } from '../../kinds/taps/private/stages.fixture.ts';
import type { DemoTrust } from '../../stack/demo-trust.ts';
import type { SmallSeries } from '../../test/support/small-series.ts';
import { approverKey, TEST_APPROVER, TEST_TRUST } from '../../test/support/test-trust.ts';

/** What is protected in the week of a city, as the series file says it. */
export type Protection = { name: string; privacy: object };

/** Population and source store of the city. */
const CITY = 'city-cards';

const WEEK = { unit: 'card-window', maxTaps: 28, neighbours: 'add-remove', publish: 'on+off', epsilon: 1, hours: {} };
/** Of ρ or of ε: the rest is for cells. */
const SPLIT = { time: '2/25', location: '3/25', bounded: '1/25' };
const PURE_CAPS = {
  block: { epsilon: '16', delta: 0 },
  year: { epsilon: '1000', delta: 0 },
};
const RHO_CAPS = { block: { rho: '3/50' }, year: { rho: '8/5' } };

/**
 * A trip as in the Oyster example, and a card's week with both kinds of noise and the same bound k; floors follow from
 * the rule. δ is the greatest power of ten that is at most 1/(10 × cards).
 */
export const protectionsOf = (cards: number): Protection[] => [
  {
    name: 'a trip, ε = 8',
    privacy: {
      mechanism: 'complete-domain',
      unit: 'trip',
      neighbours: 'replace-one',
      publish: 'on+off',
      hours: {},
      epsilon: 8,
      delta: 0,
      split: { cells: '31/5', time: '7/10', location: '11/10' },
      caps: PURE_CAPS,
    },
  },
  {
    name: 'a card’s week, Gaussian noise, ε = 1',
    privacy: {
      ...WEEK,
      mechanism: 'discrete-gaussian',
      place: 2,
      split: SPLIT,
      caps: RHO_CAPS,
      delta: `1e-${Math.ceil(Math.log10(10 * cards))}`,
    },
  },
  {
    name: 'a card’s week, Laplace noise, ε = 1',
    privacy: { ...WEEK, mechanism: 'complete-domain', delta: 0, split: SPLIT, caps: PURE_CAPS },
  },
];

/** The series file of the Oyster example over the generated trips, with this protection; its lists are beside it. */
export async function writeCitySeries(folder: string, { privacy }: Protection): Promise<SmallSeries> {
  const examples = new URL('../../examples/', import.meta.url);
  await mkdir(folder, { recursive: true });
  await cp(fileURLToPath(new URL('dictionaries/', examples)), join(folder, 'dictionaries'), { recursive: true });
  const document = parseDocument(readFileSync(new URL('oyster.yaml', examples), 'utf8'));
  const columns = sameNames(['card', 'mode', 'on_minute', 'on_location', 'off_minute', 'off_location']);
  const changes = {
    series: 'city-taps',
    population: CITY,
    source: {
      store: CITY,
      pattern: '{date}/*.parquet',
      format: 'parquet',
      rows: 'trips',
      clock: 'local',
      card: 'number',
      columns: { ...columns, on_day: 'day', off_day: 'day' },
    },
    privacy,
    gate: { approvers: [{ subject: TEST_APPROVER }] },
    publication: { title: 'Taps of an invented city', licence: 'CC-BY-4.0' },
  };
  for (const [field, value] of Object.entries(changes)) document.set(field, value);
  const file = join(folder, 'series.yaml');
  await writeFile(file, document.toString());
  return { file, key: approverKey(TEST_APPROVER) };
}

/** Whom the stack of a city believes: the policy allows one release at a time as the series asks for it. */
export const cityTrust = (series: LoadedSeries['series']): DemoTrust => ({
  ...TEST_TRUST,
  populations: { [series.population]: policyFor(series) },
});
