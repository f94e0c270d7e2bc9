import type { CommandTools } from '../kinds/kind-command.ts';
import { define } from './command.ts';
import { type OutputOptions, print } from './terminal.ts';

/** Commands of kinds print, fail and end as all others do. */
export const TOOLS: CommandTools = {
  define: (command, example, run) =>
    define(command, example, async (names, options: OutputOptions & Parameters<typeof run>[1]) => {
      const { value, text, exit } = await run(names, options);
      if (exit !== undefined) process.exitCode = exit;
      print(options, value, text);
    }),
  verifiedPublication: async (folder) =>
    (await import('../client/verify/verify-publication.ts')).verifiedPublication(folder),
  randomness: async () => (await import('../custodian/randomness.ts')).operatingSystemRandom(),
};
