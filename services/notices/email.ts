import { readFile } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import type { EmailConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { readSecret } from '../secrets.ts';
import type { Channel, NoticeMessage } from './message.ts';

/** Milliseconds that a mail server gets for each step. */
const STEP_MS = 20_000;

/**
 * Sends notices as plain text over SMTP. The connection is encrypted before anything else is sent, unless the deployment
 * file names this computer. Throws CONFIGURATION_INVALID, and when it sends NOTICE_FAILED, whose message holds nothing
 * that the server has said.
 */
export async function emailChannel({ server, from, to }: EmailConfiguration): Promise<Channel> {
  const { host, port, tls, caFile, user, password } = server;
  const open = async () =>
    createTransport({
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'starttls',
      ignoreTLS: tls === 'none',
      ...(caFile !== undefined && { tls: { ca: await readAuthorities(caFile) } }),
      ...(user !== undefined &&
        password && { auth: { user, pass: await readSecret(password, 'notices.email.server.password') } }),
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  await open(); // so that what is missing is reported at the start
  return async (message, now) => {
    const transport = await open();
    const messageId = `<${message.id}@${from.split('@')[1]}>`;
    const words = { subject: `[Opaline] ${message.subject}`, text: emailText(message) };
    try {
      await transport.sendMail({ from, to: [...new Set([...to, ...message.people])], messageId, date: now, ...words });
    } catch {
      throw new OpalineError(
        'NOTICE_FAILED',
        'The mail server did not take a notice; look at notices.email and at it.',
      );
    }
  };
}

const readAuthorities = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new OpalineError('CONFIGURATION_INVALID', 'The file of notices.email.server.caFile cannot be read.');
  });

const emailText = ({ sentences, commands }: NoticeMessage): string =>
  `${sentences.join('\n')}\n\n${commands.map((command) => `  ${command}`).join('\n')}\n`;
