import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { planted, readTree, sourcesIn } from './anchor.ts';
import type { Mutant } from './mutant.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that no test reads and that would only make the copy slow. */
const LEFT_OUT = ['node_modules', '.git', '.opaline', 'docs', 'bench'];

/** The tests of a file take seconds; a planted bug may make them last for ever. */
const PATIENCE_MS = 120_000;

/** A copy of the tree in a temporary folder, where bugs can be planted; it shares the packages of the original. */
export async function copyOfTree(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'opaline-mutants-'));
  const isCopied = (path: string) => !LEFT_OUT.includes(relative(ROOT, path).split(sep)[0]!);
  await cp(ROOT, folder, { recursive: true, filter: isCopied });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // Some tests ask git for the files of the project.
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    execFileSync('git', words, { cwd: folder });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Plants a bug, works, and takes the bug out again. Throws when a place is not there, or not there once. */
export async function withMutant<T>(
  folder: string,
  mutant: Pick<Mutant, 'id' | 'edits'>,
  work: () => Promise<T>,
): Promise<T> {
  const tree = readTree(folder);
  const files = [...planted(tree, mutant).entries()];
  try {
    for (const [file, text] of files) await writeFile(join(folder, file), text);
    return await work();
  } finally {
    for (const [file] of files) await writeFile(join(folder, file), tree.get(file)!);
  }
}

/** The path of a test file that is named as a killer is. Throws when there is none, or more than one. */
export function pathOfTest(name: string, files: readonly string[]): string {
  const [base, folder] = name.split('/').reverse() as [string, string?];
  const all = files.filter((file) => file.split('/').at(-1) === base);
  const [path, ...others] = all.length > 1 ? all.filter((file) => file.split('/').includes(folder ?? '')) : all;
  if (path === undefined || others.length > 0) throw new Error(`${all.length} test files fit ${name}`);
  return path;
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** How many tests of a name passed and failed; a run that breaks off, or does not end, has neither. */
export type Tally = { passed: number; failed: number };

/** Runs the tests of files whose full names hold one of the texts; gives the tally of each (file, text). */
export async function runTests(
  folder: string,
  tests: readonly { file: string; test: string }[],
): Promise<Map<string, Tally>> {
  const paths = sourcesIn(folder);
  const pathOf = new Map(tests.map(({ file }) => [file, pathOfTest(file, paths)]));
  const files = [...new Set(pathOf.values())];
  const pattern = [...new Set(tests.map(({ test }) => escaped(test)))].join('|');
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const reportFile = join(folder, 'report.json');
  await rm(reportFile, { force: true });
  await new Promise<void>((resolve) => {
    // A killer may be a test of the soak.
    const tags = ['--tags-filter', 'soak or not soak'];
    const words = [vitest, 'run', ...files, ...tags, '-t', pattern, '--reporter=json', `--outputFile=${reportFile}`];
    // A failed test ends the run with a code of its own: the report says what happened.
    execFile(
      process.execPath,
      words,
      { cwd: folder, timeout: PATIENCE_MS * files.length, killSignal: 'SIGKILL', env: cleanEnvironment() },
      () => resolve(),
    );
  });
  const report = reportSchema.safeParse(parsed(await readFile(reportFile, 'utf8').catch(() => '')));
  const results = report.success ? report.data.testResults : [];
  const tallyOf = ({ file, test }: { file: string; test: string }): Tally => {
    const own = results
      .filter(({ name }) => name.endsWith(`/${pathOf.get(file)}`))
      .flatMap(({ assertionResults }) => assertionResults);
    const named = own.filter(({ fullName }) => fullName.includes(test));
    const count = (status: string) => named.filter((one) => one.status === status).length;
    return { passed: count('passed'), failed: count('failed') };
  };
  return new Map(tests.map((one) => [nameOf(one), tallyOf(one)]));
}

export const nameOf = ({ file, test }: { file: string; test: string }): string => `${file} › ${test}`;

/** Without what a surrounding test run has put there for itself. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV|NODE_OPTIONS)/.test(name));
  return { ...Object.fromEntries(own), CI: 'true' };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type Verdict = { mutant: Mutant; outcome: 'killed' | 'survived' | 'unclear'; seconds: number };

/**
 * Plants each bug in turn and runs its killer, several trees side by side. `unclear`: the test neither passed nor
 * failed, so that the bug may have done no more than break the build.
 */
export async function plantAll(
  mutants: readonly Mutant[],
  sideBySide: number,
  tell: (verdict: Verdict) => void = () => undefined,
): Promise<Verdict[]> {
  const waiting = [...mutants];
  const verdicts: Verdict[] = [];
  const work = async (): Promise<void> => {
    const copy = await copyOfTree();
    try {
      for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
        const { killer } = mutant;
        const start = performance.now();
        const tallies = await withMutant(copy.folder, mutant, () => runTests(copy.folder, [killer]));
        const { passed, failed } = tallies.get(nameOf(killer))!;
        const outcome = failed > 0 ? 'killed' : passed > 0 ? 'survived' : 'unclear';
        const verdict: Verdict = { mutant, outcome, seconds: (performance.now() - start) / 1000 };
        verdicts.push(verdict);
        tell(verdict);
      }
    } finally {
      await copy.remove();
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return mutants.map((mutant) => verdicts.find((verdict) => verdict.mutant === mutant)!);
}

/** Killers that do not pass on the tree as it is: what they say of a mutant would mean nothing. */
export async function brokenKillers(folder: string, mutants: readonly Mutant[]): Promise<string[]> {
  const killers = mutants.map(({ killer }) => killer);
  const tallies = await runTests(folder, killers);
  return [...tallies].filter(([, { passed, failed }]) => passed === 0 || failed > 0).map(([name]) => name);
}
