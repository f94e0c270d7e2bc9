import { audit } from '../../activities/public/audit.ts';
import { decide } from '../../activities/public/decide.ts';
import { derive } from '../../activities/public/derive.ts';
import { publish } from '../../activities/public/publish.ts';
import type { DecisionBasis } from '../../services/signing/decision-statement.ts';
import { type TestRelease, testDecision } from './test-release.ts';
import { ada, ben } from './trust-files.ts';

/** Publishes a test release by the real stages, with the approvals of these people; gives the digest of its manifest. */
export async function publishRelease(
  release: Pick<TestRelease, 'context' | 'run' | 'input'>,
  people: readonly (typeof ada)[] = [ada, ben],
  basis: Partial<DecisionBasis> = {},
): Promise<string> {
  const { context, run, input } = release;
  await derive(context, input);
  const { manifestDigest, verdict, attention } = await audit(context, input);
  const decisions: string[] = [];
  for (const person of people) {
    const signed = { acknowledged: attention, ...basis };
    const answer = await decide(context, testDecision(run, manifestDigest, person, signed, { verdict, attention }));
    if (!answer.accepted) throw new Error(answer.code);
    decisions.push(answer.digest);
  }
  await publish(context, { ...run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' });
  return manifestDigest;
}
