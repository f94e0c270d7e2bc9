import type { CommandTools } from '../kinds/kind-command.ts';
import { command } from './command.ts';

/** Commands of kinds print, fail and end as all others do. */
export const TOOLS: CommandTools = {
  command: command as CommandTools['command'],
  verifiedPublication: async (folder) =>
    (await import('../client/verify/verify-publication.ts')).verifiedPublication(folder),
  randomness: async () => (await import('../custodian/randomness.ts')).operatingSystemRandom(),
};
