import { Command } from 'commander';
import { OpalineError } from '../../contracts/errors.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';
import { changeLines, policyLines } from '../trust-text.ts';

export function policyCommand(): Command {
  return new Command('policy')
    .description("the custodian's file that says what may be drawn at all")
    .addCommand(checkCommand());
}

function checkCommand(): Command {
  const command = new Command('check')
    .description('read a policy file, and name every mistake or what it allows')
    .argument('<file>', 'the policy file')
    .option('--before <file>', 'the policy before it: show what changes since');
  const example = 'opaline policy check policy.yaml';
  return define(command, example, async ([file], options: OutputOptions & { before?: string }) => {
    const { policy, numbered } = await readPolicyFile(file!);
    const lines = policyLines(policy);
    const before = options.before === undefined ? null : await readPolicyFile(options.before);
    if (before && before.numbered.number >= numbered.number && before.numbered.digest !== numbered.digest)
      throw new OpalineError(
        'POLICY_INVALID',
        `The policy before has number ${before.numbered.number}; raise the number of this one above it.`,
      );
    const changes = before && changeLines(policyLines(before.policy), lines);
    const text = [
      `✓ The policy is sound. It is number ${numbered.number}, SHA-256 ${numbered.digest}.`,
      ...(changes ? [`What changes since number ${before!.numbered.number}:`, ...changes] : lines),
    ].join('\n');
    const facts = { ...numbered, demo: policy.demo, populations: Object.keys(policy.populations) };
    print(options, { ...facts, ...(changes && { changes }) }, text);
  });
}
