import { Command } from 'commander';
import { readPolicyFile } from '../../activities/policy/policy-file.ts';
import { define } from '../command.ts';
import { print } from '../terminal.ts';

export function policyCommand(): Command {
  return new Command('policy')
    .description("the custodian's file that says what may be drawn at all")
    .addCommand(checkCommand());
}

function checkCommand(): Command {
  const command = new Command('check')
    .description('read a policy file, and name every mistake or what it allows')
    .argument('<file>', 'the policy file');
  define(command, 'opaline policy check policy.yaml', async ([file], options) => {
    const { policy, numbered } = await readPolicyFile(file!);
    const populations = Object.entries(policy.populations).map(([name, one]) => {
      const { sources, unit, neighbours, mechanisms, release, caps, lateDays } = one;
      return `  ${name}: ${sources.join(', ')}; unit ${unit}, ${neighbours}, ${mechanisms.join(' or ')}; ε ${release.epsilon} a release, ${caps.block.epsilon} a block, ${caps.year.epsilon} over 365 days; an order after ${lateDays} days.`;
    });
    const keys = policy.keys.map(({ name, may, revoked }) => `  ${name}: ${revoked ? 'revoked' : may.join(', ')}`);
    const text = [
      `✓ The policy is sound. It is number ${numbered.number}, SHA-256 ${numbered.digest}${policy.demo ? ', and holds demo keys' : ''}.`,
      'Populations:',
      ...populations,
      'Keys, and what they may sign:',
      ...keys,
    ].join('\n');
    print(options, { ...numbered, demo: policy.demo, populations: Object.keys(policy.populations) }, text);
  });
  return command;
}
