/** Deterministic numbers from a seed (mulberry32), so that a failure names the input that caused it. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Numbers = ReturnType<typeof numbers>;

/** Bytes that parsers have tripped over. */
const ODD_BYTES: readonly Buffer[] = [
  ...['"', '\\', '\n', '\r\n', '\0', '{', '[', ']', '}', ',', ';', ':', '- ', '&a ', '*a', '!!js ', '\u2028', '\ufeff'],
  ...['__proto__', 'constructor', '../..', '1e999', '-0', 'NaN', 'null', '9'.repeat(400), '['.repeat(3_000)],
  ...['a'.repeat(70_000), '\ud83d\ude00', '\u001b[2J', "'; DROP TABLE", '%s%n', '2026-02-30'],
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe]), Buffer.from([0xc0, 0x80]), Buffer.alloc(64)]);

/** Values of other types, sizes and depths than those that they replace. */
const ODD_VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => '',
  () => 'x'.repeat(100_000),
  () => '\u0000\u001b]0;\u0007',
  () => [],
  () => ({}),
  () => Array(1_000).fill([]),
  () => JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
  () => JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
];

const pick = <T>(list: readonly T[], random: Numbers): T => list[random(list.length)]!;

/** The bytes with one to four changes: bits, cuts, repetitions and odd bytes. */
export function mutatedBytes(bytes: Buffer, random: Numbers): Buffer {
  let changed = Buffer.from(bytes);
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const at = random(changed.length + 1);
    const end = Math.min(changed.length, at + 1 + random(40));
    const [before, part, after] = [changed.subarray(0, at), changed.subarray(at, end), changed.subarray(end)];
    const flipped = Buffer.from(part);
    if (flipped.length > 0) flipped[random(flipped.length)]! ^= 1 << random(8);
    const middle = pick(
      [[flipped], [], [part, part, part], [pick(ODD_BYTES, random), part], [pick(ODD_BYTES, random)]],
      random,
    );
    changed = Buffer.concat(random(40) === 0 ? [before] : [before, ...middle, after]);
  }
  return changed;
}

/** The value with one to three of its members changed, left out, repeated or added. */
export function mutatedJson(value: unknown, random: Numbers): unknown {
  const copy = { root: structuredClone(value) };
  for (let left = 1 + random(3); left > 0; left -= 1) {
    let holder: Record<string, unknown> = copy;
    let name = 'root';
    for (let at = holder[name]; typeof at === 'object' && at !== null && random(4) > 0; at = holder[name]) {
      const names = Object.keys(at);
      if (names.length === 0) break;
      holder = at as Record<string, unknown>;
      name = pick(names, random);
    }
    const change = random(4);
    if (change === 0 && holder !== copy) delete holder[name];
    else if (change === 1) holder[`${name}${random(3)}`] = pick(ODD_VALUES, random)();
    else if (change === 2) holder[name] = [holder[name], holder[name]];
    else holder[name] = pick(ODD_VALUES, random)();
  }
  return copy.root;
}

/** JSON with changed members, or with changed bytes. */
export const mutatedText = (value: unknown, random: Numbers): Buffer =>
  random(3) === 0
    ? mutatedBytes(Buffer.from(JSON.stringify(value)), random)
    : Buffer.from(JSON.stringify(mutatedJson(value, random)) ?? '');
