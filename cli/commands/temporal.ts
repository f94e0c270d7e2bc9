import { Command } from 'commander';
import { OpalineError } from '../../contracts/errors.ts';
import { pagesOf } from '../../stack/temporal-server.ts';
import { define } from '../command.ts';
import { clientDeployment } from '../deployment.ts';
import { opened } from '../open-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** Milliseconds that the pages get to answer. */
const ANSWER_MS = 3000;

export function temporalCommand(): Command {
  return new Command('temporal').description('the Temporal server of the embedded stack').addCommand(uiCommand());
}

function uiCommand(): Command {
  const command = new Command('ui').description(
    "open Temporal's own pages of an embedded stack that serves them (`up --ui`), or print their address",
  );
  return define(command, 'opaline temporal ui', async (_, options: OutputOptions) => {
    const { temporal } = await clientDeployment();
    const address = pagesOf(temporal.address);
    const isEmbedded = temporal.address.startsWith('127.0.0.1:') && (await answers(address));
    if (!isEmbedded)
      throw new OpalineError(
        'SERVER_UNAVAILABLE',
        `Nothing shows pages for the Temporal server at ${temporal.address}; \`opaline up --ui\` starts one that does, and of another server its operators know the address.`,
      );
    const isOpened = !options.json && (await opened(address));
    print(options, { address, opened: isOpened }, isOpened ? `Opened ${address}` : address);
  });
}

const answers = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
