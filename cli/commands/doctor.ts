import { Command } from 'commander';
import { DRAFT_FORMATS, diagnose, firstSteps, makeCurrent } from '../../client/doctor.ts';
import { EXIT } from '../../contracts/errors.ts';
import { define } from '../command.ts';
import { clientDeployment } from '../deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { makeCurrent?: string };

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('say what is wrong with this installation, and the command that mends it; ends with 3 if anything is')
    .option('--make-current <build>', 'let this build take new and open releases, such as to roll back');
  define(command, 'opaline doctor', async (_, options: Options) => {
    const deployment = await clientDeployment();
    if (options.makeCurrent !== undefined) await makeCurrent(deployment, options.makeCurrent);
    const findings = await diagnose(deployment);
    if (findings.length > 0) process.exitCode = EXIT.waiting;
    const next = findings.length === 0 ? await firstSteps(deployment) : [];
    const lines = findings.map((finding) => `${finding.sentence}\n    ${finding.command}`);
    if (findings.length === 0) lines.push('Nothing is wrong.');
    lines.push(`Formats that this build writes and that may still change: ${DRAFT_FORMATS.join(', ')}.`);
    if (next.length > 0) lines.push('Nothing was released here yet. Next:', ...next.map((command) => `    ${command}`));
    print(options, { healthy: findings.length === 0, findings, next, drafts: DRAFT_FORMATS }, lines.join('\n'));
  });
  return command;
}
