import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { RELEASE_STATE_TABLE, RELEASE_STATES, type ReleaseState } from '../../contracts/release-state.ts';
import * as workflows from '../../workflows/index.ts';
import { decoded } from './history-file.ts';
import { OTHER_PATHS } from './other-paths.ts';
import { RELEASE_PATHS } from './release-paths.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const BYTES_MAX = 300_000;

type History = {
  events: {
    workflowExecutionStartedEventAttributes?: { workflowType: { name: string } };
    workflowExecutionContinuedAsNewEventAttributes?: object;
    upsertWorkflowSearchAttributesEventAttributes?: {
      searchAttributes: { indexedFields: Record<string, { data: string }> };
    };
  }[];
};

const histories = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
    const { events }: History = JSON.parse(text);
    return { file, text, events };
  });

const typeOf = ({ events }: History) => events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name;

/** The states that the history shows to people, in order. */
const statesOf = ({ events }: History): string[] =>
  events.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
    const state = upsert?.searchAttributes.indexedFields.OpalineState;
    return state ? JSON.parse(decoded(state.data)) : [];
  });

/** States in which something is at work, and which pass without people or a clock. */
const AT_WORK: readonly ReleaseState[] = ['running', 'auditing', 'publishing'];

test('every path that can be recorded has been', () => {
  const paths = Object.keys({ ...RELEASE_PATHS, ...OTHER_PATHS });
  expect(paths.filter((path) => !histories.some(({ file }) => file === `${path}.json`))).toEqual([]);
});

test('every workflow has a recorded history', () => {
  expect([...new Set(histories.map(typeOf))].sort()).toEqual(Object.keys(workflows).sort());
});

test('every state in which a release ends or waits is reached by a recorded history', () => {
  const reached = new Set(histories.flatMap(statesOf));
  const wanted = RELEASE_STATES.filter((state) => !AT_WORK.includes(state));
  expect(wanted.filter((state) => !reached.has(state))).toEqual([]);
  expect(AT_WORK.filter((state) => RELEASE_STATE_TABLE[state].final)).toEqual([]);
});

test('a back-fill that continued as new is among them', () => {
  const ends = histories.map(({ events }) => events.at(-1)!);
  expect(ends.some((event) => event.workflowExecutionContinuedAsNewEventAttributes)).toBe(true);
});

test.each(histories)('$file is small, and says nothing of the machine that recorded it', ({ text }) => {
  expect(text.length).toBeLessThan(BYTES_MAX);
  const payloads = [...text.matchAll(/"data":\s*"([^"]*)"/g)].map(([, data]) => decoded(data!));
  const shown = [text, ...payloads].join('\n');
  expect(shown).not.toMatch(/\/(tmp|work|home|root|Users|var)\//);
  expect(shown).not.toMatch(/"\d+@/);
  if (hostname().length > 4) expect(shown).not.toContain(hostname());
});
