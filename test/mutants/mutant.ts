import type { Edit } from './anchor.ts';

/** One planted bug, and the test that has to notice it. */
export type Mutant = {
  /** Kebab-case, stable. */
  id: string;
  /** What the program does wrong, and who has done it before, when somebody has. */
  bug: string;
  /** The clause of the contract that it breaks, or the obligation that code names, such as `put-once`. */
  clause: string;
  edits: Edit[];
  /**
   * The name of the test file, after one of its folders when there are two of that name; and the beginning of the full
   * name, or a part of it that no other test of the file has by chance.
   */
  killer: { file: string; test: string };
  /** Planted in every normal run; the others by the script and the soak. */
  quick?: true;
};
