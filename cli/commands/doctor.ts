import { Command } from 'commander';
import type { Diagnosis } from '../../client/diagnosis.ts';
import { diagnose, firstSteps, makeCurrent } from '../../client/doctor.ts';
import { EXIT } from '../../contracts/errors.ts';
import type { PrivateContext } from '../../custodian/context.ts';
import { comparedLedger } from '../../custodian/custody/compared-ledger.ts';
import { define } from '../command.ts';
import { clientDeployment } from '../deployment.ts';
import { custodianSide } from '../private-deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { makeCurrent?: string; all?: true; private?: true };

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('say what is wrong with this installation, and the command that mends it; ends with 3 if anything is')
    .option('--all', 'read every object of every release, also of those that have ended')
    .option('--private', 'on the custodian side: compare the ledgers of the private store with their copies')
    .option('--make-current <build>', 'let this build take new and open releases, such as to roll back');
  return define(command, 'opaline doctor', async (_, options: Options) => {
    const deployment = await clientDeployment();
    if (options.makeCurrent !== undefined) await makeCurrent(deployment, options.makeCurrent);
    const findings = await diagnose(deployment, { thorough: options.all ?? false });
    if (options.private) findings.push(...(await custodianFindings(await custodianSide())));
    if (findings.length > 0) process.exitCode = EXIT.waiting;
    const next = findings.length === 0 ? await firstSteps(deployment) : [];
    const lines = findings.map((finding) => `${finding.sentence}\n    ${finding.command}`);
    if (findings.length === 0) lines.push('Nothing is wrong.');
    if (next.length > 0) lines.push('Nothing was released here yet. Next:', ...next.map((command) => `    ${command}`));
    print(options, { healthy: findings.length === 0, findings, next }, lines.join('\n'));
  });
}

/** What is not well with the ledgers of the custodian's own store. */
async function custodianFindings(context: PrivateContext): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for (const population of Object.keys(context.policy.policy.populations))
    for (const sentence of await comparedLedger(context, population))
      findings.push({ sentence, command: `opaline ledger verify ${population} --private` });
  return findings;
}
