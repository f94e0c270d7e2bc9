import { expect, test } from 'vitest';
import { type Declarations, declarationOf, parseDeclarations } from './declaration.ts';

function read(text: string): Declarations {
  const declarations = parseDeclarations(text);
  if (typeof declarations === 'string') throw new TypeError(declarations);
  return declarations;
}

test('what is said of one kind of table goes before what is said of all', () => {
  const declared = read(
    'scale=1, threshold=18,location.scale=2,delta=1.25e-7,noise=discrete-laplace,time-location.threshold=9',
  );
  const common = { certificate: null, model: 'discrete-laplace', delta: 1.25e-7 };
  expect(declarationOf(declared, 'time')).toEqual({ ...common, scale: 1, threshold: 18 });
  expect(declarationOf(declared, 'location')).toEqual({ ...common, scale: 2, threshold: 18 });
  expect(declarationOf(declared, 'time-location')).toEqual({ ...common, scale: 1, threshold: 9 });
});

test.each([
  'scale=0',
  'scale=x',
  'threshold=1.5',
  'delta=1',
  'noise=gaussian',
  'place.scale=1',
  'toString=1',
  'scale',
  '',
])('%j is refused by name', (part) => {
  expect(parseDeclarations(part)).toBe(part);
  expect(parseDeclarations(`threshold=18,${part}`)).toBe(part);
});
