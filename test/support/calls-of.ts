/** How often a function of Math is called in some work: a count of steps that does not depend on the machine. */
export function callsOf(name: 'sin' | 'exp', work: () => unknown): number {
  const original = Math[name];
  let calls = 0;
  Math[name] = (x) => {
    calls += 1;
    return original(x);
  };
  try {
    work();
  } finally {
    Math[name] = original;
  }
  return calls;
}
