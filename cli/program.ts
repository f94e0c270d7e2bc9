import { Command } from 'commander';
import type { CommandTools } from '../kinds/kind-command.ts';
import { KIND_COMMANDS } from '../kinds/kind-commands.ts';
import { command } from './command.ts';
import { COMMAND_LIST } from './command-list.ts';
import type { CommandWords } from './completion-script.ts';
import { EXIT_CODES_HELP } from './exit-codes.ts';
import { settle } from './settled-command.ts';
import { packageVersion } from './version.ts';

/** Commands of kinds print, fail and end as all others do. */
const TOOLS: CommandTools = {
  command: command as CommandTools['command'],
  randomness: async () => (await import('../custodian/randomness.ts')).operatingSystemRandom(),
};

/** Commands in the order of the help. A command is loaded when it is called: most need neither Temporal nor a store. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/init-command.ts')).initCommand(),
  up: async () => (await import('./commands/up-command.ts')).upCommand(),
  check: async () => (await import('./commands/check-command.ts')).checkCommand(),
  preview: async () => (await import('./commands/preview-command.ts')).previewCommand(),
  run: async () => (await import('./commands/run-command.ts')).runCommand(),
  status: async () => (await import('./commands/status-command.ts')).statusCommand(),
  show: async () => (await import('./commands/show-command.ts')).showCommand(),
  explain: async () => (await import('./commands/explain-command.ts')).explainCommand(),
  approve: async () => (await import('./commands/decide-command.ts')).approveCommand(),
  reject: async () => (await import('./commands/decide-command.ts')).decideCommand('reject'),
  reaudit: async () => (await import('./commands/reaudit-command.ts')).reauditCommand(),
  retry: async () => (await import('./commands/retry-command.ts')).retryCommand(),
  resume: async () => (await import('./commands/resume-command.ts')).resumeCommand(),
  abandon: async () => (await import('./commands/actions-command.ts')).abandonCommand(),
  proceed: async () => (await import('./commands/actions-command.ts')).actionCommand('proceed'),
  withdraw: async () => (await import('./commands/decide-command.ts')).decideCommand('withdraw'),
  reopen: async () => (await import('./commands/decide-command.ts')).decideCommand('reopen'),
  cancel: async () => (await import('./commands/actions-command.ts')).actionCommand('cancel'),
  correct: async () => (await import('./commands/correct-command.ts')).correctCommand(),
  retract: async () => (await import('./commands/retract-command.ts')).retractCommand(),
  console: async () => (await import('./commands/console-command.ts')).consoleCommand(),
  worker: async () => (await import('./commands/worker-command.ts')).workerCommand(),
  temporal: async () => (await import('./commands/temporal-command.ts')).temporalCommand(),
  store: async () => (await import('./commands/store-command.ts')).storeCommand(),
  schedule: async () => (await import('./commands/schedule-command.ts')).scheduleCommand(),
  backfill: async () => (await import('./commands/backfill-command.ts')).backfillCommand(),
  doctor: async () => (await import('./commands/doctor-command.ts')).doctorCommand(),
  audit: async () => (await import('./commands/audit-command.ts')).auditCommand(),
  verify: async () => (await import('./commands/verify-command.ts')).verifyCommand(),
  diff: async () => (await import('./commands/diff-command.ts')).diffCommand(),
  site: async () => (await import('./commands/site-command.ts')).siteCommand(),
  trust: async () => (await import('./commands/trust-command.ts')).trustCommand(),
  keygen: async () => (await import('./commands/keygen-command.ts')).keygenCommand(),
  series: async () => (await import('./commands/series-command.ts')).seriesCommand(),
  order: async () => (await import('./commands/order-command.ts')).orderCommand(),
  certify: async () => (await KIND_COMMANDS.certify())(TOOLS),
  ledger: async () => (await import('./commands/ledger-command.ts')).ledgerCommand(),
  risk: async () => (await import('./commands/risk-command.ts')).riskCommand(),
  rejects: async () => (await import('./commands/rejects-command.ts')).rejectsCommand(),
  completion: async () => (await import('./commands/completion-command.ts')).completionCommand(completionWords),
  occupancy: async () => (await KIND_COMMANDS.occupancy())(TOOLS),
};

const emptyProgram = (): Command =>
  new Command('opaline')
    .version(packageVersion(), '--version', 'print the version')
    .description('Turns confidential trip records into differentially private open data, audited and signed.')
    .addHelpText('after', `\n${EXIT_CODES_HELP}\n`);

/** What answers for the whole program, without a command that could be called: loading all of them takes a second. */
export function listing(): Command {
  const program = emptyProgram();
  for (const [use, does] of COMMAND_LIST) {
    const command = program.command(use.replace(' [options]', '')).summary(does);
    if (use.includes(' [options]')) command.option('--any');
  }
  settle(program);
  return program;
}

/** The command line: the whole of it, or as much as is needed for a command that is called by its first name. */
export async function opaline(name?: string): Promise<Command> {
  const program = emptyProgram();
  const one = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of one ? [one] : Object.values(COMMANDS)) program.addCommand(await load());
  settle(program);
  return program;
}

/** What can follow each command, for shells. */
async function completionWords(): Promise<CommandWords> {
  const words = new Map<string, string[]>();
  const collect = (command: Command, names: string): void => {
    const options = command.options.map(({ long }) => long ?? '').filter((name) => name !== '');
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    words.set(names, [...command.commands.map((one) => one.name()), ...choices, ...options, '--help']);
    for (const child of command.commands) collect(child, names === '' ? child.name() : `${names} ${child.name()}`);
  };
  collect(await opaline(), '');
  return words;
}

/** The commands that do something, in the order of the help; a group of commands is not one. */
export function leafCommands(command: Command): Command[] {
  return command.commands.length > 0 ? command.commands.flatMap(leafCommands) : [command];
}

/** The help of a command as it is printed in n columns. */
export function helpText(command: Command, columns = 100): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => columns,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}
