import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { DecisionKind } from '../contracts/decision.ts';
import type { Passkey } from '../contracts/formats/trust.ts';
import type { ReleaseReference } from '../contracts/names.ts';

/** A statement that somebody has asked for and not signed yet. */
export type OpenStatement = {
  release: ReleaseReference;
  decision: DecisionKind;
  statement: Buffer;
  words: string[];
  /** What comes of it, in plain words: from the statement and the state of the release, and no part of what is signed. */
  effect: string;
  passkeys: Passkey[];
  note: string;
  at: number;
};

export type NamedPasskey = { passkey: Passkey; fingerprint: string };

export const ROLES = ['viewer', 'operator', 'approver'] as const;
export type Role = (typeof ROLES)[number];

/** Who uses the console, and what they may do there. `account`: issuer and subject, or how the session was opened. */
export type Person = { subject: string; account: string; roles: readonly Role[] };

/** What came of an action, in words for whoever asked. */
export type ActionOutcome = { done: true; text: string } | { done: false; code: string; text: string };

export type Session = ReturnType<typeof newSession>;

/** A session ends after so long without a request, and after so long in any case. */
const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 8 * 3_600_000;

/** More people than use a console at once; the oldest session makes room for a new one. */
const MOST = 1000;

/** A one-time link that was not used is void after so long. */
const LINK_MS = 24 * 3_600_000;

export const randomName = (): string => randomBytes(32).toString('base64url');

/** Are the texts equal? Takes the same time wherever they differ. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const newSession = (person: Person, at: number) => ({
  person,
  /** Is in every form of this session: another site cannot read it. */
  token: randomName(),
  began: at,
  seen: at,
  /** What a browser is shown on its next page, once. */
  flash: null as ActionOutcome | null,
  /** What the session has asked to sign, by its challenge, until it is signed or too old. */
  challenges: new Map<string, OpenStatement>(),
  /** The newest form of a decision that was sent and not signed; null: there is none. */
  draft: null as { release: string; form: Readonly<Record<string, unknown>> } | null,
  /** The challenge of the newest registration of a passkey; null: none is open. */
  registration: null as string | null,
  /** The passkey that was made in this session: it is shown here, and counts nowhere yet. */
  made: null as NamedPasskey | null,
});

/** The sessions of one console, in its memory: they end with the process. `now` is a clock in milliseconds. */
export class Sessions {
  private readonly sessions = new Map<string, Session>();
  private readonly links = new Map<string, { person: Person; at: number }>();
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Opens a session under a new name: one that a browser had before is never taken on. */
  open(person: Person): string {
    if (this.sessions.size >= MOST) this.sessions.delete(this.sessions.keys().next().value!);
    const name = randomName();
    this.sessions.set(name, newSession(person, this.now()));
    return name;
  }

  /** The session of a name; null when there is none, or it has ended. `isUse`: it goes on with this look. */
  find(name: string | undefined, isUse = true): Session | null {
    const session = name === undefined ? undefined : this.sessions.get(name);
    if (!session) return null;
    const at = this.now();
    if (at - session.seen > IDLE_MS || at - session.began > LONGEST_MS) {
      this.sessions.delete(name!);
      return null;
    }
    if (isUse) session.seen = at;
    return session;
  }

  close(name: string | undefined): void {
    if (name !== undefined) this.sessions.delete(name);
  }

  /** A secret that opens one session of this person, once. */
  link(person: Person): string {
    const secret = randomName();
    this.links.set(secret, { person, at: this.now() });
    return secret;
  }

  /** Whose link it is; this uses it up. Null for one that is not a link, was used, or is too old. */
  redeem(secret: string): Person | null {
    const link = this.links.get(secret);
    this.links.delete(secret);
    return link && this.now() - link.at <= LINK_MS ? link.person : null;
  }
}
