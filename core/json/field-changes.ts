/** One field that differs: its path, and both values as JSON; null where the field is absent. */
export type FieldChange = { field: string; before: string | null; after: string | null };

/** The fields in which two JSON values differ, by the order of their paths. */
export function fieldChanges(before: unknown, after: unknown): FieldChange[] {
  const [old, now] = [leaves(before), leaves(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])].sort();
  return fields
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }))
    .filter((change) => change.before !== change.after);
}

function leaves(value: unknown, path: string[] = []): Map<string, string> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return value === undefined ? new Map() : new Map([[path.join('.'), JSON.stringify(value)]]);
  return new Map(Object.entries(value).flatMap(([name, member]) => [...leaves(member, [...path, name])]));
}
