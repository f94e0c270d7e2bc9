import type { Command } from 'commander';
import type { ReleaseReference } from '../contracts/names.ts';
import type { RandomSource } from '../core/random/random-source.ts';

/** What a command came to: a value for programs, the same for people, and how the process ends if not with 0. */
export type CommandResult = { value: unknown; text: string; exit?: number | undefined };

/** `at-once` as `atOnce`. */
type Camel<Word extends string> = Word extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Word;

type OptionName<Flags extends string> = Flags extends `--${infer Word} ${string}`
  ? Camel<Word>
  : Flags extends `--${infer Word}`
    ? Camel<Word>
    : never;

/** What `--yes`, `--hours [n]`, `--window <day>` and `--partition <part...>` give. */
type OptionValue<Flags extends string> = Flags extends `${string}...>`
  ? string[]
  : Flags extends `${string}<${string}`
    ? string
    : Flags extends `${string}[${string}`
      ? string | true
      : true;

/** What `<release>`, `<file>`, `[population]` and `<inputs...>` give. */
type ArgumentValue<Word extends string> = Word extends '<release>'
  ? { release: ReleaseReference }
  : Word extends `<${infer Name}...>`
    ? Record<Camel<Name>, string[]>
    : Word extends `<${infer Name}>`
      ? Record<Camel<Name>, string>
      : Word extends `[${infer Name}]`
        ? Partial<Record<Camel<Name>, string>>
        : unknown;

type ArgumentValues<Use extends string> = Use extends `${infer Word} ${infer Rest}`
  ? ArgumentValue<Word> & ArgumentValues<Rest>
  : ArgumentValue<Use>;

/** What work comes to; work that has printed by itself gives nothing. */
type Outcome = Promise<CommandResult | undefined> | Promise<void>;

/**
 * A command while it is declared: what it is given has the types that its words and choices say. `Client` asks a running
 * Opaline; kinds have none.
 */
export interface CommandBuilder<Values, Options, Client> {
  argument<Word extends string, Value = ArgumentValue<Word>[keyof ArgumentValue<Word>]>(
    word: Word,
    does: string,
    choices?: readonly Value[],
  ): CommandBuilder<Values & { [Name in keyof ArgumentValue<Word>]: Value }, Options, Client>;
  option<Flags extends string, Value = OptionValue<Flags>>(
    flags: Flags,
    does: string,
    choices?: readonly Value[],
  ): CommandBuilder<Values, Options & Partial<Record<OptionName<Flags>, Value>>, Client>;
  required<Flags extends string, Value = OptionValue<Flags>>(
    flags: Flags,
    does: string,
    choices?: readonly Value[],
  ): CommandBuilder<Values, Options & Record<OptionName<Flags>, Value>, Client>;
  /** An option with a value that is taken when it is not given. */
  usual<Flags extends string, Value = OptionValue<Flags>>(
    flags: Flags,
    does: string,
    value: NoInfer<Value>,
    choices?: readonly Value[],
  ): CommandBuilder<Values, Options & Record<OptionName<Flags>, Value>, Client>;
  /** A line of the help that uses the command. */
  example(line: string): CommandBuilder<Values, Options, Client>;
  run(work: (values: Values, options: Options) => Outcome): Command;
  /** Runs work with a client from its beginning to its end. */
  ask(work: (client: Client, values: Values, options: Options) => Outcome): Command;
}

/** Begins a command, as `show <release>`: with `--json`, an example in its help, and an end by the one table of codes. */
export type DeclareCommand<Client> = <Use extends string>(
  use: Use,
  does: string,
) => CommandBuilder<ArgumentValues<Use>, { json?: true }, Client>;

/** What the command line gives to the commands of kinds, which know nothing of terminals. */
export type CommandTools = {
  command: DeclareCommand<unknown>;
  /** Randomness of the operating system, for draws that are of no release. */
  randomness(): Promise<RandomSource>;
};

/** A command of the command line that means something for one kind alone. */
export type KindCommand = (tools: CommandTools) => Command;
