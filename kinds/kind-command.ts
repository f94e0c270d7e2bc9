import type { Command } from 'commander';
import type { RandomSource } from '../core/random/random-source.ts';
import type { Publication } from '../services/publication/publication.ts';

/** What a command came to: a value for programs, the same for people, and how the process ends if not with 0. */
export type CommandResult = { value: unknown; text: string; exit?: number };

/** What the command line gives to the commands of kinds, which know nothing of terminals. */
export type CommandTools = {
  /** Gives a command what every command has: `--json`, an example in its help, and an end by the one table of codes. */
  define<Options extends object>(
    command: Command,
    example: string,
    run: (names: string[], options: Options) => Promise<CommandResult>,
  ): void;
  /** The publication in a folder, once it verifies. Throws VERIFICATION_FAILED, and USAGE where there is none. */
  verifiedPublication(folder: string): Promise<Publication>;
  /** Randomness of the operating system, for draws that are of no release. */
  randomness(): Promise<RandomSource>;
};

/** A command of the command line that means something for one kind alone. */
export type KindCommand = (tools: CommandTools) => Command;
