import { describe, expect, test } from 'vitest';
import { WORKER_ROOMS } from '../../worker/source-digest.ts';
import { type Import, importsOf, isPure, productionFiles, readProjectFile } from './source-files.ts';

/** What each folder may import of ours, types included: data flows one way (design: folders). */
const MAY_IMPORT: Record<string, string[]> = {
  contracts: [],
  core: ['contracts'],
  counts: ['contracts', 'core'],
  'foreign-audit': ['contracts', 'core', 'counts'],
  services: ['contracts', 'core', 'counts', 'foreign-audit'],
  custodian: ['contracts', 'core', 'counts', 'services'],
  kinds: ['contracts', 'core', 'counts', 'services', 'custodian'],
  activities: ['contracts', 'core', 'counts', 'services', 'custodian'],
  workflows: ['contracts'],
  worker: ['contracts', 'core', 'services', 'custodian', 'kinds', 'activities', 'workflows'],
  stack: ['contracts', 'core', 'services', 'kinds', 'worker', 'client', 'examples'],
  client: ['contracts', 'core', 'counts', 'foreign-audit', 'services', 'custodian', 'kinds'],
  examples: ['contracts', 'core', 'services', 'kinds', 'stack', 'client'],
  console: ['contracts', 'core', 'services', 'client'],
  'console/private': ['contracts', 'core', 'services', 'custodian', 'client', 'console'],
  cli: [
    'contracts',
    'core',
    'counts',
    'foreign-audit',
    'services',
    'custodian',
    'kinds',
    'worker',
    'stack',
    'client',
    'console',
    'console/private',
    'examples',
    'infra',
  ],
  infra: [],
};

const roomOf = (file: string): string => file.split('/')[0]!;

/** The room of a file. The custodian's pages are a room of their own within the console, which may not enter it. */
const flowRoomOf = (file: string): string => (file.startsWith('console/private/') ? 'console/private' : roomOf(file));

function backward({ from, to }: Import): boolean {
  const [room, target] = [flowRoomOf(from), flowRoomOf(to)];
  const allowed = MAY_IMPORT[room];
  return allowed !== undefined && target in MAY_IMPORT && target !== room && !allowed.includes(target);
}

/** Everything that a program loads at its start, packages by name. */
function loadedBy(program: string, arrows: readonly Import[] = imports): Set<string> {
  const loaded = new Set([program]);
  for (const file of loaded)
    for (const { from, to, typeOnly } of arrows) if (from === file && !typeOnly) loaded.add(to);
  return loaded;
}

const sources = productionFiles();
const imports = sources.flatMap((file) => importsOf(file, readProjectFile(file)));

/** What the private side alone may load. */
const PRIVATE = /^(?:activities\/private|console\/private|custodian|kinds\/(?:[a-z-]+\/private|private-kinds))[/.]/;

describe('imports', () => {
  test('flow from contracts to the command line and never back', () => {
    expect(imports.filter(backward).map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test('a backward import is caught', () => {
    const [one] = importsOf('core/a/b.ts', "import { x } from '../../services/c.ts';");
    expect(backward(one!)).toBe(true);
    const fromConsole = (line: string) => importsOf('console/app.ts', line).map(backward);
    expect(fromConsole("import type { Preview } from './private/custodian-data.ts';")).toEqual([true]);
    expect(fromConsole("import { preview } from '../custodian/preview/preview.ts';")).toEqual([true]);
    expect(importsOf('console/private/a.ts', "import { x } from '../safe-text.ts';").map(backward)).toEqual([false]);
  });

  test('what runs imports nothing that is only there for tests', () => {
    const testing = ({ to }: Import) => /^test\/|\.(fixture|test)\.ts$/.test(to);
    expect(imports.filter(testing).filter(({ from }) => !from.startsWith('bench/'))).toEqual([]);
    expect(testing(importsOf('core/a.ts', "import { x } from '../test/support/y.ts';")[0]!)).toBe(true);
  });

  test('pure code and workflows use no Node module and no library of the outside', () => {
    // What checks a signature where nothing but the language is: it holds no state, and asks for nothing.
    const allowed =
      /^(contracts|workflows)\/|^@temporalio\/workflow$|^@noble\/(?:curves\/(?:ed25519|nist)|hashes\/sha2)\.js$/;
    const isHeld = (file: string): boolean => isPure(file) || file.startsWith('workflows/');
    const outside = imports.filter(
      ({ from, to, typeOnly }) => isHeld(from) && !typeOnly && !isPure(to) && !allowed.test(to),
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
    const crossing = (program: string, more: readonly Import[] = []) =>
      [...loadedBy(program, [...imports, ...more])].filter((file) => PRIVATE.test(file));
    for (const program of [
      'worker/public.ts',
      'worker/public-stages.ts',
      'cli/verify-main.ts',
      'client/opaline-client.ts',
      'console/server.ts',
      'cli/commands/console-command.ts',
    ])
      expect(crossing(program)).toEqual([]);
    expect(crossing('worker/private-stages.ts')).toContain('custodian/randomness.ts');
    // The custodian's console is a program of its own; one import would take all of it into the other.
    expect(crossing('console/private/custodian-server.ts')).toContain('custodian/preview/preview.ts');
    const [planted] = importsOf('console/tools.ts', "import { custodianData } from './private/custodian-data.ts';");
    expect(crossing('console/server.ts', [planted!])).toContain('custodian/preview/preview.ts');
  });

  test('what custodians alone may see is reached from the private side and the commands of custodians', () => {
    const MAY = /^worker\/(?:[a-z-]*private|observe\/input-monitor)/;
    // Making a project writes the policy of a custodian; the rest runs beside the private store, or measures.
    const COMMANDS = /^client\/project\/make-project\.ts$|^cli\/|^bench\//;
    const isAllowed = (file: string): boolean => PRIVATE.test(file) || MAY.test(file) || COMMANDS.test(file);
    const others = imports.filter(({ from, to }) => PRIVATE.test(to) && !isAllowed(from));
    expect(others.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    expect(
      ['client/verify/verification-checks.ts', 'kinds/taps/public/audit.ts', 'worker/public.ts'].some(isAllowed),
    ).toBe(false);
  });

  test('the digest of a build is of every room that its workers load', () => {
    const ours = (program: string) => [...loadedBy(program)].filter((file) => file.endsWith('.ts'));
    const rooms = new Set(['private', 'public'].flatMap((side) => ours(`worker/${side}-stages.ts`)).map(roomOf));
    expect([...rooms].filter((room) => !WORKER_ROOMS.includes(room))).toEqual([]);
    expect(rooms.has('services')).toBe(true);
  });

  test('what computes loads nothing of Temporal, which would double its start and its memory', () => {
    const ofTemporal = (program: string) => [...loadedBy(program)].filter((name) => name.startsWith('@temporalio/'));
    for (const side of ['private', 'public']) {
      expect(ofTemporal(`worker/${side}-stages.ts`)).toEqual([]);
      expect(ofTemporal(`worker/${side}.ts`)).toContain('@temporalio/worker');
    }
  });
});
