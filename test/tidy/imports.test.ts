import { describe, expect, test } from 'vitest';
import { type Import, importsOf, productionFiles, readProjectFile } from './source-files.ts';

/** What each folder may import of ours, types included: data flows one way (design: folders). */
const MAY_IMPORT: Record<string, string[]> = {
  contracts: ['contracts'],
  core: ['contracts', 'core'],
  workflows: ['contracts', 'workflows'],
  activities: ['contracts', 'core', 'activities'],
  kinds: ['contracts', 'core', 'activities', 'kinds'],
  temporal: ['contracts', 'core', 'activities', 'temporal'],
  worker: ['contracts', 'core', 'activities', 'kinds', 'workflows', 'temporal', 'worker'],
  client: ['contracts', 'core', 'activities', 'kinds', 'temporal', 'client'],
  examples: ['contracts', 'core', 'activities', 'kinds', 'worker', 'client', 'examples'],
  cli: ['contracts', 'core', 'activities', 'kinds', 'temporal', 'worker', 'client', 'examples', 'infra', 'cli'],
  infra: ['infra'],
};

function backward({ from, to }: Import): boolean {
  const allowed = MAY_IMPORT[from.split('/')[0]!];
  const target = to.split('/')[0]!;
  return allowed !== undefined && target in MAY_IMPORT && !allowed.includes(target);
}

/** Everything that a program loads at its start, packages by name. */
function loadedBy(program: string): Set<string> {
  const loaded = new Set([program]);
  for (const file of loaded)
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) loaded.add(to);
  return loaded;
}

const sources = productionFiles();
const imports = sources.flatMap((file) => importsOf(file, readProjectFile(file)));

describe('imports', () => {
  test('flow from contracts to the command line and never back', () => {
    expect(imports.filter(backward).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('a backward import is caught', () => {
    const [one] = importsOf('core/a/b.ts', "import { x } from '../../services/c.ts';");
    expect(backward(one!)).toBe(true);
  });

  test('what runs imports nothing that is only there for tests', () => {
    const testing = ({ to }: Import) => /^test\/|\.(fixture|test)\.ts$/.test(to);
    expect(imports.filter(testing).filter(({ from }) => !from.startsWith('bench/'))).toEqual([]);
    expect(testing(importsOf('core/a.ts', "import { x } from '../test/support/y.ts';")[0]!)).toBe(true);
  });

  test('core and workflows use no Node module and no library of the outside', () => {
    // What checks a signature where nothing but the language is: it holds no state, and asks for nothing.
    const allowed = /^(contracts|core|workflows)\/|^@temporalio\/workflow$|^@noble\/curves\/ed25519\.js$/;
    const outside = imports.filter(
      ({ from, to, typeOnly }) => /^(core|workflows)\//.test(from) && !typeOnly && !allowed.test(to),
    );
    expect(outside.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('workflows import no schema at run time: zod stays out of their bundle', () => {
    const schemas = new Set(sources.filter((file) => /from 'zod'/.test(readProjectFile(file))));
    const loaded = imports.filter(
      ({ from, to, typeOnly }) => from.startsWith('workflows/') && !typeOnly && schemas.has(to),
    );
    expect(loaded.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('the public side imports nothing of the private side', () => {
    const crossing = imports.filter(
      ({ from, to }) =>
        /^(activities\/public|kinds\/(public-kinds|client-kinds|[a-z-]+\/(?!private\/))|client|workflows)/.test(from) &&
        /^activities\/private\/|^kinds\/([a-z-]+\/private\/|private-kinds)/.test(to),
    );
    expect(crossing.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('what computes loads nothing of Temporal, which would double its start and its memory', () => {
    const ofTemporal = (program: string) => [...loadedBy(program)].filter((name) => name.startsWith('@temporalio/'));
    for (const side of ['private', 'public']) {
      expect(ofTemporal(`worker/${side}-stages.ts`)).toEqual([]);
      expect(ofTemporal(`worker/${side}.ts`)).toContain('@temporalio/worker');
    }
  });
});
