import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { provideTool } from '../../infra/provision/tools.mjs';
import type { TestStack } from '../support/test-stack.ts';
import { ROOT, readProjectFile } from '../tidy/source-files.ts';

/** The runbooks of docs/runbooks.md: heading → its text. */
export const runbooks = (): Map<string, string> =>
  new Map(
    readProjectFile('docs/runbooks.md')
      .split('\n## ')
      .slice(1)
      .map((part): [string, string] => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))]),
  );

/** The shell blocks of a runbook, each as its lines. Throws when there is no such runbook. */
export function blocksOf(heading: string): string[][] {
  const text = runbooks().get(heading);
  if (text === undefined) throw new Error(`there is no runbook ${heading}`);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!.trim().split('\n'));
}

/** How one line of a runbook ended; `text` is all that it said. */
export type Outcome = { line: string; code: number; text: string };

/**
 * A place where a person follows runbooks: `opaline` and `temporal` are commands there, `.opaline` is the stack, and
 * names that the text gives as examples are put in place.
 */
export class Desk {
  readonly folder: string;
  readonly #commands: string;
  readonly #names: Record<string, string>;

  private constructor(folder: string, commands: string, names: Record<string, string>) {
    this.folder = folder;
    this.#commands = commands;
    this.#names = names;
  }

  /** `names`: what the text says → what it is here. */
  static async at(stack: TestStack, name: string, names: Record<string, string>): Promise<Desk> {
    const folder = join(stack.root, 'desks', name);
    const commands = join(folder, 'bin');
    await mkdir(commands, { recursive: true });
    await symlink(stack.root, join(folder, '.opaline'));
    await symlink(await provideTool('temporal-cli'), join(commands, 'temporal'));
    const opaline = join(commands, 'opaline');
    await writeFile(opaline, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'cli', 'main.ts')}" "$@"\n`);
    await chmod(opaline, 0o755);
    return new Desk(folder, commands, { ADDRESS: stack.address, ...names });
  }

  /** Carries out lines of a runbook, one after the other, as they are in the text. */
  async follow(lines: readonly string[] | undefined): Promise<Outcome[]> {
    if (!lines) throw new Error('the runbook has no such block');
    const outcomes: Outcome[] = [];
    for (const line of lines) outcomes.push(await this.#carryOut(this.#inPlace(line)));
    return outcomes;
  }

  #inPlace(line: string): string {
    return Object.entries(this.#names).reduce((text, [example, here]) => text.replaceAll(example, here), line);
  }

  #carryOut(line: string): Promise<Outcome> {
    const { OPALINE_DEPLOYMENT: _, ...environment } = process.env;
    const env = { ...environment, PATH: `${this.#commands}:${process.env.PATH}` };
    return new Promise((resolve) => {
      const child = execFile('sh', ['-c', line], { cwd: this.folder, env }, (error, stdout, stderr) => {
        const code = error ? Number(error.code ?? 1) : 0;
        resolve({ line, code, text: `${stdout}${stderr}` });
      });
      child.stdin?.end();
    });
  }
}
