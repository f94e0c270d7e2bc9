import type { OpalineClient } from '../client/opaline-client.ts';
import { retryRelease } from '../client/release/retry-release.ts';
import { pauseSchedule, resumeSchedule } from '../client/schedule/schedules.ts';
import { planTrigger, triggerWindow } from '../client/schedule/trigger-window.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import type { Answer } from '../contracts/stages.ts';
import { FORM_ACTIONS, type FormAction } from './release-view.ts';
import type { ActionOutcome, Person } from './sessions.ts';

const refuse = (code: string, text: string): ActionOutcome => ({ done: false, code, text });

export const outcomeOf = (answer: Answer, text: string): ActionOutcome =>
  answer.accepted ? { done: true, text } : refuse(answer.code, answer.message);

type Form = Readonly<Record<string, unknown>>;

/** Asks an action of a release, as the command line does, in the name of the person. */
export async function actOnRelease(
  client: OpalineClient,
  person: Person,
  release: ReleaseReference,
  action: FormAction,
  form: Form,
): Promise<ActionOutcome> {
  const { done, sure } = FORM_ACTIONS[action];
  if (!person.roles.includes('operator')) return refuse('ROLE_MISSING', 'Your roles do not allow this.');
  if (sure !== null && form.sure !== 'yes')
    return refuse('NOT_CONFIRMED', 'Set the mark beside the button first: this cannot be taken back.');
  const { subject } = person;
  switch (action) {
    case 'retryPartitions':
    case 'retryStage': {
      const { answer, cost } = await retryRelease(client, release, [], subject);
      return outcomeOf(answer, `${done} ${cost.join(' ')}`);
    }
    case 'abandonPartitions': {
      const { partitions } = await client.status(release);
      const failures = partitions.filter(({ state }) => state === 'failed').map(({ part, day }) => ({ part, day }));
      return outcomeOf(await client.ask(release, action, { partitions: failures, subject }), done);
    }
    default:
      return outcomeOf(await client.ask(release, action, { subject }), done);
  }
}

/** Asks an action of a series, likewise: pause, resume or trigger. */
export async function actOnSeries(
  client: OpalineClient,
  person: Person,
  series: string,
  action: string,
  form: Form,
): Promise<ActionOutcome> {
  if (!person.roles.includes('operator')) return refuse('ROLE_MISSING', 'Operators look after schedules.');
  if (action === 'resume') {
    await resumeSchedule(client, series);
    return { done: true, text: 'The schedule goes on.' };
  }
  if (action === 'pause') {
    const note = typeof form.note === 'string' ? form.note.trim().slice(0, 200) : '';
    if (note === '') return refuse('NOTE_MISSING', 'Say why it is paused.');
    await pauseSchedule(client, series, `${person.subject}: ${note}`);
    return { done: true, text: 'The schedule is paused.' };
  }
  if (form.sure !== 'yes') return refuse('NOT_CONFIRMED', 'Set the mark first: a charge is never given back.');
  const plan = await planTrigger(client, series, typeof form.window === 'string' ? form.window : '');
  const refusal = plan.ledger.releases[0]?.refusal;
  if (refusal && !plan.isThere) return refuse('BUDGET_EXCEEDED', refusal);
  const { started } = await triggerWindow(client, plan, person.subject);
  const name = releasePath(plan.release);
  return { done: true, text: started ? `${name} was started.` : `${name} ran before; nothing was started or charged.` };
}
