import { request } from 'node:http';
import type { Console } from '../../console/listening.ts';
import { startConsole } from '../../console/server.ts';
import type { Person, Role } from '../../console/sessions.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import type { TestStack } from './test-stack.ts';

/** A console over a test stack, in this process, with a clock that a test can put forward. */
export type ConsoleBench = Console & { forward(ms: number): void; unexpected: unknown[] };

export async function startConsoleBench(
  stack: TestStack,
  more: Partial<Parameters<typeof startConsole>[0]> = {},
): Promise<ConsoleBench> {
  let ahead = 0;
  const unexpected: unknown[] = [];
  const { signingKeyFile: _, ...deployment } = await readDeployment(
    stack.files.deployment('client'),
    clientDeploymentSchema,
  );
  const served = await startConsole({
    client: stack.client,
    deployment,
    now: () => Date.now() + ahead,
    report: (error) => unexpected.push(error),
    ...more,
  });
  return {
    ...served,
    unexpected,
    forward: (ms) => {
      ahead += ms;
    },
  };
}

export const person = (subject: string, ...roles: Role[]): Person => ({
  subject,
  account: `test of ${subject}`,
  roles,
});

export type Answered = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** Sends a request as it is written here: no library adds or takes away a header. */
export function ask(
  origin: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answered> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const asked = request(
      { hostname, port, path, method, headers: { host: `${hostname}:${port}`, ...headers } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A browser of one person, without a browser: it keeps the cookie, and sends forms as a page of the console does. */
export class Visitor {
  readonly origin: string;
  cookie = '';

  constructor(origin: string) {
    this.origin = origin;
  }

  static async of(served: Console, who: Person): Promise<Visitor> {
    const visitor = new Visitor(served.origin);
    const entered = await visitor.get(new URL(served.link(who)).pathname);
    if (entered.status !== 303) throw new Error(`the link gave ${entered.status}`);
    return visitor;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answered> {
    const answer = await ask(this.origin, path, { headers: { cookie: this.cookie, ...headers } });
    const [cookie] = answer.headers['set-cookie'] ?? [];
    if (cookie) this.cookie = cookie.split(';')[0]!;
    return answer;
  }

  async json(path: string): Promise<{ status: number; value: never }> {
    const { status, body } = await this.get(path, { accept: 'application/json' });
    return { status, value: JSON.parse(body) as never };
  }

  /** The token that the forms of this session carry. */
  async token(): Promise<string> {
    const { body } = await this.get('/');
    return /name="token" value="([^"]+)"/.exec(body)![1]!;
  }

  async post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const body = new URLSearchParams({ token: fields.token ?? (await this.token()), ...fields }).toString();
    return ask(this.origin, path, {
      method: 'POST',
      headers: {
        cookie: this.cookie,
        origin: this.origin,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      },
      body,
    });
  }

  /** Sends JSON, as the script of the console does. */
  async send(path: string, value: object, token?: string): Promise<Answered> {
    const body = JSON.stringify(value);
    return ask(this.origin, path, {
      method: 'POST',
      headers: {
        cookie: this.cookie,
        origin: this.origin,
        'content-type': 'application/json',
        accept: 'application/json',
        'x-opaline-token': token ?? (await this.token()),
        'content-length': String(Buffer.byteLength(body)),
      },
      body,
    });
  }
}
