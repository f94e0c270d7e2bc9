import type { z } from 'zod';
import type { FieldPath } from '../../contracts/series-issue.ts';

/** A mistake of the schema in plain words. */
export type SchemaMistake = { path: FieldPath; sentence: string };

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'a group of fields',
  record: 'a group of fields',
  boolean: 'true or false',
};

const kindOf = (kind: string): string => KINDS[kind] ?? kind;

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const steps = (path: readonly PropertyKey[]): FieldPath =>
  path.map((step) => (typeof step === 'symbol' ? String(step) : step));

type Issue = z.core.$ZodIssue;

const UNKNOWN = 'There is no such field here; check its spelling and its indentation, or take it out.';

/** What zod says of a union that has no sentence of its own. */
const UNSAID = 'Invalid input';

/** The values or kinds that the branches of a union ask for, when each of them only asks for one. */
function choices(branches: readonly (readonly Issue[])[]): string | null {
  const options = branches.map(([issue, ...others]) => {
    if (!issue || others.length > 0 || issue.path.length > 0) return null;
    if (issue.code === 'invalid_value') return issue.values.map(String);
    return issue.code === 'invalid_type' ? [kindOf(issue.expected)] : null;
  });
  return options.every((words) => words !== null) ? list(options.flat()) : null;
}

function limit(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const small = issue.code === 'too_small';
  const bound = String(small ? issue.minimum : issue.maximum);
  if (issue.origin === 'array')
    return small ? 'The list is empty; add at least one.' : `The list has more than ${bound}.`;
  if (issue.origin === 'string') return small ? 'The text is empty; write one.' : `The text is longer than ${bound}.`;
  const least = small && issue.inclusive ? `at least ${bound}` : small ? `above ${bound}` : `at most ${bound}`;
  return `The number must be ${least}.`;
}

/** Mistakes that zod found, as sentences. `has` says whether the file has a value at a path. */
export function schemaMistakes(issues: readonly Issue[], has: (path: FieldPath) => boolean): SchemaMistake[] {
  return issues.flatMap((issue) => {
    const path = steps(issue.path);
    const say = (sentence: string): SchemaMistake[] => [{ path, sentence }];
    if (!has(path) && issue.code !== 'unrecognized_keys') return say('The field is missing; add it.');
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => ({ path: [...path, key], sentence: UNKNOWN }));
      case 'invalid_type':
        return say(`The value must be ${kindOf(issue.expected)}.`);
      case 'invalid_value':
        return say(`The value must be ${list(issue.values.map(String))}.`);
      case 'invalid_key':
        return say(`The name does not fit: ${issue.issues.map(({ message }) => message).join(', ')}.`);
      case 'too_small':
      case 'too_big':
        return say(limit(issue));
      case 'invalid_union': {
        const words = choices(issue.errors);
        if (words) return say(issue.message === UNSAID ? `The value must be ${words}.` : issue.message);
        // The branch with the fewest mistakes is most likely the one that was meant, and one with a right beginning.
        const depth = ([first]: readonly Issue[]): number => first?.path.length ?? 0;
        const [meant = []] = issue.errors.toSorted((a, b) => a.length - b.length || depth(b) - depth(a));
        const whole = meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
        return schemaMistakes(whole, has);
      }
      default:
        if (issue.code === 'invalid_format' && issue.format === 'includes')
          return say('The value is no public key in PEM; paste the whole block with its first line.');
        return say(`The value does not fit: ${issue.message}.`);
    }
  });
}
