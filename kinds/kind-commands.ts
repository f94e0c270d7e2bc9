import type { KindCommand } from './kind-command.ts';

/** The commands that belong to one kind, by name. A command is loaded when it is called. */
export const KIND_COMMANDS = {
  certify: async () => (await import('./taps/commands/certify-command.ts')).certifyCommand,
  occupancy: async () => (await import('./occupancy/commands/occupancy.ts')).occupancyCommand,
} satisfies Readonly<Record<string, () => Promise<KindCommand>>>;
