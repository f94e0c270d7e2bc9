/** The same function of a number, computed once for each. */
export function remembered<Value>(compute: (number: number) => Value): (number: number) => Value {
  const known = new Map<number, Value>();
  return (number) => {
    const value = known.get(number) ?? compute(number);
    known.set(number, value);
    return value;
  };
}
