import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { change } from '../upgrade/other-build.fixture.ts';

/** What a stage with a planted fault does: it never ends, takes all memory, ends its process, or throws. */
export type Fault = 'slow' | 'greedy' | 'killed' | 'broken';

const MODULE = 'activities/planted-fault.ts';

/** Looks at each attempt, so that a fault comes and goes while the worker runs. */
const moduleText = (file: string): string => `
import { readFile } from 'node:fs/promises';

const FAULTS: Record<string, () => Promise<void>> = {
  slow: () => new Promise(() => {}),
  greedy: async () => {
    for (const kept: Buffer[] = []; ; await new Promise((resolve) => setImmediate(resolve)))
      kept.push(Buffer.alloc(64 * 2 ** 20, 1));
  },
  killed: async () => void process.kill(process.pid, 'SIGKILL'),
  broken: async () => {
    throw new Error('a planted fault');
  },
};

export async function plantedFault(): Promise<void> {
  await FAULTS[await readFile('${file}', 'utf8').catch(() => '')]?.();
}
`;

/** A fault in one stage of the workers of a tree (test/upgrade/other-build.fixture.ts); there is none until it is set. */
export class PlantedFault {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** `before` is a line of the body of the stage, in its file under services/: there the fault happens. */
  static async in(tree: string, stage: string, before: string): Promise<PlantedFault> {
    const file = join(tree, 'fault');
    await writeFile(join(tree, MODULE), moduleText(file));
    await change(tree, stage, before, `await plantedFault();\n  ${before}`);
    await change(tree, stage, 'import ', "import { plantedFault } from '../planted-fault.ts';\nimport ");
    return new PlantedFault(file);
  }

  set = (fault: Fault): Promise<void> => writeFile(this.#file, fault);

  mend = (): Promise<void> => rm(this.#file, { force: true });
}
