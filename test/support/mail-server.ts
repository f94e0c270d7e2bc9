import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail server on this computer that keeps what it got. */
export type MailServer = {
  port: number;
  got: { from: string; to: string[]; user: string | null; secure: boolean; raw: string }[];
  /** Refuses every message with a text of its own. */
  refuses: boolean;
  close(): Promise<void>;
};

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      password === 'the password' ? done(null, { user: username }) : done(new Error('SAYS THE SERVER')),
    async onData(stream, session, done) {
      const raw = await text(stream);
      if (mail.refuses) return done(new Error('SAYS THE SERVER'));
      const { mailFrom, rcptTo } = session.envelope;
      mail.got.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        user: session.user ?? null,
        secure: session.secure,
        raw,
      });
      done();
    },
    ...options,
  });
  server.on('error', () => {}); // a client that hangs up
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const mail: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    got: [],
    refuses: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mail;
}
