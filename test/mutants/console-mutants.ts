import type { Mutant } from './mutant.ts';

const SESSIONS = 'sessions.test.ts';
const LOGIN = 'login.test.ts';

/** The console lets somebody in, or shows or does something, that it should not. */
export const CONSOLE_MUTANTS: Mutant[] = [
  {
    id: 'console-token-not-asked',
    bug: 'A form counts whatever token it carries, so that another site sends forms in the name of whoever is logged in.',
    clause: 'C16',
    edits: [{ in: 'hasToken', from: 'isSame(token, session.token)', to: 'token.length >= 0' }],
    killer: { file: SESSIONS, test: 'a token is that of its own session' },
  },
  {
    id: 'console-link-twice',
    bug: 'A one-time link opens a session again, for whoever reads the terminal or a history.',
    clause: 'C16',
    edits: [{ in: 'Sessions.redeem', from: 'this.links.delete(secret);', to: '' }],
    killer: { file: SESSIONS, test: 'a link is of one session, once' },
  },
  {
    id: 'console-shows-times',
    bug: 'Approvers are shown when private stages began and how often they failed.',
    clause: 'C18',
    edits: [
      { in: 'releaseView', from: 'isOperator ? operatorPart(status, at) : null', to: 'operatorPart(status, at)' },
    ],
    killer: { file: SESSIONS, test: 'C18: times, attempts' },
  },
  {
    id: 'console-custodian-approves',
    bug: 'Whoever the provider calls a custodian comes in as an approver.',
    clause: 'C16',
    edits: [
      {
        in: 'personOfClaims',
        from: "roles.includes('operator') || names.includes('custodian')",
        to: "roles.includes('operator')",
      },
    ],
    killer: { file: LOGIN, test: 'C16: sub-custodian is refused' },
  },
  {
    id: 'console-shows-planted-decisions',
    bug: 'A page says that an approver decided what somebody else put into the release store.',
    clause: 'C16',
    edits: [{ in: 'decisionLog', from: '!gate || arrivalAt(gate, statement, record) === null', to: '!gate' }],
    killer: { file: 'console.test.ts', test: 'C16: a decision that somebody planted is on no page' },
  },
  {
    id: 'custodian-console-of-anybody',
    bug: "An approver of the trust file opens the custodian's pages, and decides what is published with raw data seen.",
    clause: 'C16',
    edits: [
      { in: 'startCustodianConsole', from: 'isSameSubject(one.subject, subject)', to: 'one.subject === "nobody"' },
    ],
    killer: { file: 'custodian-server.test.ts', test: 'C16: no approver of the trust file starts it' },
  },
];
