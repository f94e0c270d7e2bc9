/**
 * Keeps what was made under a name, the last `most` of them: a pure function of its name need not be computed twice. What
 * is kept must not be changed by whoever gets it; a promise that fails is not kept.
 */
export function makeCache<Value, Name = string>(most = Number.POSITIVE_INFINITY) {
  const values = new Map<Name, Value>();
  return (name: Name, make: () => Value): Value => {
    const hit = values.get(name);
    if (hit !== undefined) return hit;
    const value = make();
    if (values.size >= most) values.delete(values.keys().next().value!);
    values.set(name, value);
    if (value instanceof Promise) value.catch(() => values.delete(name));
    return value;
  };
}

/** A function whose answers are kept: laws of sums of noise take long, and the same ones are asked for again. */
export function computeOnce<Parts extends readonly (string | number)[], Answer>(
  compute: (...parts: Parts) => Answer,
  most?: number,
): (...parts: Parts) => Answer {
  const cache = makeCache<Answer>(most);
  return (...parts) => cache(parts.join(' '), () => compute(...parts));
}

/** A function that computes its value once for each object, and keeps it as long as the object. */
export function oncePer<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const hit = values.get(key);
    if (hit) return hit.value;
    const value = compute(key);
    values.set(key, { value });
    return value;
  };
}
