import type { Envelope } from '../../contracts/decision.ts';
import { type DecisionRequest, decisionStatement, statementBytes } from '../../services/signing/decision-statement.ts';
import { signEnvelope } from '../../services/signing/envelope.ts';

/** A decision over one manifest, signed with a person's private key (PKCS#8 PEM). */
export const signDecision = (request: DecisionRequest, privateKey: string): Envelope =>
  signEnvelope(statementBytes(decisionStatement(request)), privateKey);
