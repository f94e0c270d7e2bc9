import type { Command } from 'commander';
import { buildLines, diagnose, firstSteps, makeCurrent } from '../../client/doctor.ts';
import { EXIT } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { clientDeployment } from '../client-deployment.ts';
import { command } from '../command.ts';
import { compareLedgers } from '../compared-ledgers.ts';

export const doctorCommand = (): Command =>
  command('doctor', 'say what is wrong with this installation, and the command that mends it; then ends with 3')
    .option('--all', 'read every object of every release, also of those that have ended')
    .option('--private', 'on the custodian side: compare the ledgers of the private store with their copies')
    .option('--make-current <build>', 'promote this build of either side: it takes new and open releases')
    .example('opaline doctor')
    .run(async (_, options) => {
      const deployment = await clientDeployment();
      if (options.makeCurrent !== undefined) await makeCurrent(deployment, options.makeCurrent);
      const findings = await diagnose(deployment, { thorough: options.all ?? false });
      for (const { population, sentences } of options.private ? await compareLedgers() : [])
        for (const sentence of sentences)
          findings.push({ sentence, command: `opaline ledger verify ${population} --private` });
      const healthy = findings.length === 0;
      const next = healthy ? await firstSteps(deployment) : [];
      const builds = await buildLines(deployment);
      const text = lines(
        findings.map(({ sentence, command }) => [sentence, `    ${command}`]),
        healthy && 'Nothing is wrong.',
        next.length > 0 && ['Nothing was released here yet. Next:', next.map((command) => `    ${command}`)],
        builds,
      );
      return { value: { healthy, findings, builds, next }, text, exit: healthy ? EXIT.done : EXIT.waiting };
    });
