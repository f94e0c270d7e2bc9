import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { publicDeploymentSchema } from '../../contracts/deployment.ts';
import type { Notice } from '../../contracts/notices.ts';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';
import { type Receiver, startReceiver } from '../../test/support/webhook-receiver.ts';
import { MOST_IN_AN_HOUR, openChannels } from './channels.ts';
import { noticeMessage } from './message.ts';

const RUN = { series: 'demo-taps', window: '2026-03-02', version: 2 };
const NOTICE: Notice = {
  about: 'release',
  state: 'waiting',
  at: '2026-03-10T05:00:00.000Z',
  verdict: 'attention',
  attention: ['usual-taps'],
  code: null,
  failed: 0,
  expiresAt: '2026-03-31T05:00:00.000Z',
};
const MESSAGE = noticeMessage(RUN, NOTICE, 'Australia/Sydney');
const NOW = new Date('2026-03-10T06:00:00.000Z');

let mail: MailServer;
let receiver: Receiver;
beforeAll(async () => {
  process.env.OPALINE_TEST_NOTICES = 'the password';
  [mail, receiver] = [await startMailServer(), await startReceiver()];
});
afterEach(() => {
  mail.refuses = false;
  mail.got.length = 0;
});
afterAll(async () => {
  delete process.env.OPALINE_TEST_NOTICES;
  await mail?.close();
  await receiver?.close();
});

const SECRET = { env: 'OPALINE_TEST_NOTICES' };
const email = (server: object) => ({
  server: { host: '127.0.0.1', ...server },
  from: 'opaline@example.org',
  to: ['a@example.org', 'b@example.org'],
});
const parse = (notices: object) => publicDeploymentSchema.shape.notices.parse(notices);
const send = async (server: object) =>
  (await openChannels(parse({ email: email(server) }))).get('email')!(MESSAGE, NOW);

describe('e-mail', () => {
  test('says what the release waits for, with commands to paste, to everybody at once', async () => {
    await send({ port: mail.port, tls: 'none' });
    const [{ from, to, user, raw }, ...others] = mail.got as [(typeof mail.got)[number]];
    expect([from, to, user, others]).toEqual(['opaline@example.org', ['a@example.org', 'b@example.org'], null, []]);
    expect(raw).toContain('Subject: [Opaline] demo-taps/2026-03-02/v2 waits at the gate');
    expect(raw).toContain(`Message-ID: <${MESSAGE.id}@example.org>`);
    const lines = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(lines).toContain('\r\n  opaline show demo-taps/2026-03-02/v2\r\n');
    expect(lines).toContain('--reason "read the audit" --acknowledge usual-taps\r\n');
    expect(lines).toContain('The gate closes at 2026-03-31 16:00 (Australia/Sydney).');
  });

  test('leads to the page of the console, where the deployment names one', async () => {
    const notices = parse({ email: email({ port: mail.port, tls: 'none' }), console: 'https://opaline.example.org' });
    await (await openChannels(notices)).get('email')!(MESSAGE, NOW);
    const lines = mail.got[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    expect(lines).toContain('In the console: https://opaline.example.org/releases/demo-taps/2026-03-02/v2');
    expect(() => parse({ console: 'https://opaline.example.org/x' })).toThrow();
  });

  test('is sent with the name and password of the deployment file', async () => {
    const signed = await startMailServer({ authOptional: false, allowInsecureAuth: true });
    await send({ port: signed.port, tls: 'none', user: 'opaline', password: SECRET });
    expect(signed.got.map(({ user }) => user)).toEqual(['opaline']);
    process.env.OPALINE_TEST_NOTICES = 'another';
    const refused = await send({ port: signed.port, tls: 'none', user: 'opaline', password: SECRET }).catch(String);
    process.env.OPALINE_TEST_NOTICES = 'the password';
    expect(refused).toContain('did not take a notice');
    expect(refused).not.toContain('SAYS THE SERVER');
    await signed.close();
  });

  test('is refused by a server that does not encrypt, or that nobody vouches for, before anything is sent', async () => {
    const plain = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] });
    await expect(send({ port: plain.port })).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
    // Its certificate is its own.
    await expect(send({ port: mail.port })).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
    await expect(send({ port: mail.port, tls: 'implicit' })).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
    expect([...plain.got, ...mail.got]).toEqual([]);
    await plain.close();
  });

  test('that the server refuses is a failure to be tried again', async () => {
    mail.refuses = true;
    await expect(send({ port: mail.port, tls: 'none' })).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
    mail.refuses = false;
    await send({ port: mail.port, tls: 'none' });
    expect(mail.got).toHaveLength(1);
  });
});

test('channels have names without an address; a webhook gets the notice and its words', async () => {
  const webhooks = [0, 1].map(() => ({ url: `${receiver.url}/opaline`, secret: SECRET }));
  const channels = await openChannels(parse({ email: email({ port: mail.port, tls: 'none' }), webhooks }));
  expect([...channels.keys()]).toEqual(['email', 'webhook-1', 'webhook-2']);
  await channels.get('webhook-2')!(MESSAGE, NOW);
  expect(JSON.parse(receiver.got[0]!.body)).toEqual({ format: 'opaline-notice/1', ...MESSAGE });
  expect(await openChannels(undefined)).toEqual(new Map());
});

test.each<[name: string, notices: object]>([
  ['a webhook without TLS elsewhere', { webhooks: [{ url: 'http://example.org/', secret: SECRET }] }],
  ['a secret in the file', { webhooks: [{ url: 'https://example.org/', secret: 'text' }] }],
  [
    'mail without TLS elsewhere',
    { email: { ...email({ port: 25, tls: 'none' }), server: { host: 'mail.example.org', port: 25, tls: 'none' } } },
  ],
  ['a name without a password', { email: email({ port: 25, tls: 'none', user: 'opaline' }) }],
  ['nobody to write to', { email: { ...email({ port: 25 }), to: [] } }],
])('a deployment file with %s is refused', (_, notices) => {
  expect(publicDeploymentSchema.shape.notices.safeParse(notices).success).toBe(false);
});

test('more notices in an hour than people can read wait', async () => {
  const [[, channel]] = [...(await openChannels(parse({ webhooks: [{ url: receiver.url, secret: SECRET }] })))] as [
    [string, (message: typeof MESSAGE, now: Date) => Promise<void>],
  ];
  for (let sent = 0; sent < MOST_IN_AN_HOUR; sent += 1) await channel(MESSAGE, NOW);
  await expect(channel(MESSAGE, NOW)).rejects.toMatchObject({ code: 'NOTICE_FAILED' });
  await expect(channel(MESSAGE, new Date(NOW.getTime() + 3_600_001))).resolves.toBeUndefined();
});
