/** A function that computes its value once for each object, and keeps it as long as the object. */
export function oncePer<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const kept = values.get(key);
    if (kept) return kept.value;
    const value = compute(key);
    values.set(key, { value });
    return value;
  };
}
