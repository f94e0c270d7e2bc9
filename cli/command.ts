import { Argument, Command, Option } from 'commander';
import type { OpalineClient } from '../client/opaline-client.ts';
import { wrongUse } from '../contracts/errors.ts';
import { type Partition, parsePartitionPath, parseReleasePath, type ReleaseReference } from '../contracts/names.ts';
import type { CommandBuilder, CommandResult, DeclareCommand } from '../kinds/kind-command.ts';
import { fail, type OutputOptions, print } from './terminal.ts';

type Work = (...given: never[]) => Promise<CommandResult | undefined> | Promise<void>;
type Choices = readonly string[] | undefined;

const withChoices = <Made extends Argument | Option>(part: Made, choices: Choices): Made =>
  choices ? (part.choices(choices) as Made) : part;

/** Every command takes `--json`, shows an example in its help, and ends with a code of the one table. */
export const command: DeclareCommand<OpalineClient> = (use, does) => {
  const [name, ...words] = use.split(' ');
  const target = new Command(name).description(does);
  for (const word of words) target.argument(word);
  const add = (flags: string, text: string, choices: Choices, change: (option: Option) => Option = (one) => one) => {
    target.addOption(change(withChoices(new Option(flags, text), choices)));
    return builder;
  };
  let sample = '';
  const builder = {
    argument(word: string, text: string, choices?: Choices) {
      target.addArgument(withChoices(new Argument(word, text), choices));
      return builder;
    },
    option: (flags: string, text: string, choices?: Choices) => add(flags, text, choices),
    required: (flags: string, text: string, choices?: Choices) =>
      add(flags, text, choices, (option) => option.makeOptionMandatory()),
    usual: (flags: string, text: string, value: string, choices?: Choices) =>
      add(flags, text, choices, (option) => option.default(value)),
    example(line: string) {
      sample = line;
      return builder;
    },
    run: (work: Work) =>
      target
        .option('--json', 'print JSON for programs')
        .addHelpText('after', `\nExample:\n  ${sample}\n`)
        .action(() => perform(target, work)),
    ask: (work: Work) =>
      builder.run(async (...args) => {
        const { withClient } = await import('./client.ts');
        return withClient((client) => (work as (...all: unknown[]) => Promise<CommandResult>)(client, ...args));
      }),
  };
  return builder as unknown as CommandBuilder<never, never, OpalineClient>;
};

/** Runs a command that was parsed, and prints what it came to. */
async function perform(target: Command, work: Work): Promise<void> {
  const options = target.opts<OutputOptions>();
  try {
    const values = target.registeredArguments.map((argument, place) => {
      const value = target.processedArgs[place];
      const name = argument.name().replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
      return [name, name === 'release' && argument.required ? readRelease(value) : value];
    });
    const result = await work(Object.fromEntries(values) as never, options as never);
    if (!result) return;
    if (result.exit !== undefined) process.exitCode = result.exit;
    print(options, result.value, result.text);
  } catch (error) {
    fail(error, options);
  }
}

/** Commands that are called by one name first: `ledger show`, `ledger verify`. */
export const group = (name: string, does: string, commands: readonly Command[]): Command =>
  commands.reduce((all, one) => all.addCommand(one), new Command(name).description(does));

/** Reads a release that a person named. Throws USAGE. */
export function readRelease(text: string | undefined): ReleaseReference {
  const release = parseReleasePath(text ?? '');
  if (!release)
    throw wrongUse(`${text} names no release; write it as SERIES/YYYY-MM-DD/vN, as \`opaline status\` does.`);
  return release;
}

/** Reads partitions that a person named. Throws USAGE. */
export function readPartitions(texts: readonly string[] = []): Partition[] {
  return texts.map((text) => {
    const partition = parsePartitionPath(text);
    if (!partition) throw wrongUse(`${text} names no partition; write it as PART/YYYY-MM-DD (such as bus/2026-03-02).`);
    return partition;
  });
}

/** Options that several commands have. */
export const WINDOW = ['--window <YYYY-MM-DD>', 'first day of the window'] as const;
export const ORDER = ['--order <file>', 'order of a key of the policy, where one is needed'] as const;
export const YES = ['--yes', 'do not ask'] as const;
export const ASK_BEFORE_CHARGE = ['--yes', 'do not ask before the budget is charged'] as const;
