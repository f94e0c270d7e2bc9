import { z } from 'zod';
import { OpalineError } from '../../../contracts/errors.ts';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { Series } from '../../../contracts/series.ts';
import { windowDays } from '../../../core/calendar/window.ts';
import { jsonBytes, readJson } from '../../stores/json-objects.ts';
import type { PrivateContext } from '../context.ts';

/** That somebody looked at raw data of these days to choose parameters, without a charge. */
const choiceSchema = z.strictObject({
  format: z.literal('opaline-choice/1'),
  series: z.string(),
  days: z.array(z.iso.date()),
});

/**
 * Records, before anybody looks, that parameters are about to be chosen on a window of a series (C17). The record is of
 * the source, as another series may read the same rows.
 *
 * @contract C17
 */
export async function recordChoice(context: PrivateContext, series: Series, window: string): Promise<void> {
  const choice = { format: 'opaline-choice/1', series: series.series, days: windowDays(series, window) };
  await context.privateStore.putIfAbsent(PRIVATE_KEYS.choice(series.source.store, context.newId()), jsonBytes(choice));
}

/**
 * Refuses, before it is charged, a release of days on which parameters were chosen, unless its series file says so in
 * `privacy.chosenOn`: then its certificate does. Throws POLICY_REFUSED.
 *
 * @contract C17
 */
export async function requireDeclaredChoice(
  { privateStore }: PrivateContext,
  { source, privacy }: Series,
  days: readonly string[],
): Promise<void> {
  if (privacy.chosenOn !== undefined) return;
  for await (const { key } of privateStore.list(PRIVATE_KEYS.choices(source.store))) {
    const choice = await readJson(privateStore, key, choiceSchema);
    if (!choice.days.some((day) => days.includes(day))) continue;
    throw new OpalineError(
      'POLICY_REFUSED',
      'Parameters were chosen with a look at the data of this window; say so in privacy.chosenOn of the series file.',
    );
  }
}
