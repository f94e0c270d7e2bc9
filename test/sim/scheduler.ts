import { setImmediate as nextTurn } from 'node:timers/promises';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { seededSource } from '../support/seeded-source.ts';
import { storeMethods } from '../support/store-methods.ts';

/** The server has given an attempt up: its process is gone, or does not answer. */
export class NoAnswer extends Error {}

/** One attempt of an activity, in a process of its own. */
export type Attempt = {
  serial: number;
  name: string;
  /** `given-up`: it goes on, and nobody waits for it; `crashed`: nothing of it happens any more. */
  state: 'at-work' | 'given-up' | 'crashed' | 'ended';
  /** Calls to stores that wait for their turn. */
  waiting: number;
};

type Work<Result> = (wrap: (store: ObjectStore, name: string) => ObjectStore, attempt: Attempt) => Promise<Result>;

/** `refused`: the store does not answer and does nothing; `lost`: it does; `repeated`: a client asks it a second time. */
type Fate = 'done' | 'refused' | 'lost' | 'repeated';
type Fault = 'crash-before' | 'crash-after' | 'give-up' | Exclude<Fate, 'done'>;
const FAULTS_OF_WRITES: readonly Fault[] = ['crash-before', 'crash-after', 'give-up', 'refused', 'lost', 'repeated'];
/** A crash at a read is one after the last write. */
const FAULTS_OF_READS: readonly Fault[] = ['give-up', 'refused'];

type Call = { attempt: Attempt; what: string; takesEffect: () => Promise<boolean>; act(fate: Fate): Promise<void> };

/** How many of the writes that take effect, and of all other calls, meet a fault. */
const WRITES_AT_FAULT = 1 / 12;
const READS_AT_FAULT = 1 / 50;
/** How often what nobody waits for comes before what somebody waits for. */
const STRAGGLERS_FIRST = 1 / 6;

/**
 * Runs attempts of activities as if each was a process: every call to a store waits, and the seed says whose is next and
 * what becomes of it. One call at a time is under way, so that a seed gives the same run again.
 */
export class Scheduler {
  /** What happened, a line for each call. */
  readonly trace: string[] = [];
  /** Errors of attempts that are not in the table: mistakes of the program. */
  readonly mistakes: string[] = [];
  readonly #random;
  readonly #attempts: Attempt[] = [];
  readonly #rejects = new Map<Attempt, (error: Error) => void>();
  #calls: Call[] = [];
  #hasFaults = true;

  constructor(seed: number) {
    this.#random = seededSource(seed);
  }

  below(bound: number): number {
    return this.#random.uint32() % bound;
  }

  chance(probability: number): boolean {
    return this.#random.uint32() < probability * 2 ** 32;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Begins an attempt. Its answer is rejected with NoAnswer when it is given up or its process is gone. */
  start<Result>(name: string, work: Work<Result>, state: 'at-work' | 'given-up' = 'at-work'): Promise<Result> {
    const attempt: Attempt = { serial: this.#attempts.length + 1, name, state, waiting: 0 };
    this.#attempts.push(attempt);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    promise.catch(() => undefined); // nobody may wait for it
    this.#rejects.set(attempt, reject);
    work((store, storeName) => this.#wrap(attempt, store, storeName), attempt)
      .then(resolve, (error: unknown) => {
        if (!(error instanceof OpalineError)) this.mistakes.push(`${name} threw ${error}`);
        reject(error);
      })
      .finally(() => {
        attempt.state = 'ended';
      });
    return promise;
  }

  /** Gives turns until the story is over and no attempt is at work. What is left when it is over meets no more faults. */
  async drive(story: Promise<void>): Promise<void> {
    let isTold = false;
    const told = story.finally(() => {
      isTold = true;
    });
    told.catch(() => undefined);
    for (;;) {
      await this.#settle();
      this.#hasFaults = !isTold;
      if (this.#calls.length > 0) await this.#serve(this.#next());
      else if (isTold) return told;
    }
  }

  crashedSerials(): Set<number> {
    return new Set(this.#attempts.filter(({ state }) => state === 'crashed').map(({ serial }) => serial));
  }

  /** Until every attempt waits for a turn or has ended, and so has what they do in their scratch folders. */
  async #settle(): Promise<void> {
    const isBusy = ({ state, waiting }: Attempt) => waiting === 0 && (state === 'at-work' || state === 'given-up');
    const isAtFiles = () => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
    do await nextTurn();
    while (isAtFiles() || this.#attempts.some(isBusy));
    await nextTurn();
  }

  #next(): Call {
    // What one attempt asks for at once comes in any order.
    this.#calls.sort((a, b) => a.attempt.serial - b.attempt.serial || (a.what < b.what ? -1 : 1));
    const awaited = this.#calls.filter(({ attempt }) => attempt.state === 'at-work');
    const call = this.pick(awaited.length > 0 && !this.chance(STRAGGLERS_FIRST) ? awaited : this.#calls);
    this.#calls = this.#calls.filter((one) => one !== call);
    return call;
  }

  async #serve(call: Call): Promise<void> {
    const { attempt } = call;
    const fault = await this.#faultOf(call);
    this.trace.push(`${attempt.serial} ${attempt.name}: ${call.what}${fault ? ` — ${fault}` : ''}`);
    if (fault === 'give-up') {
      this.#giveUp(attempt, 'given-up');
      this.#calls.push(call);
      return;
    }
    if (fault === 'crash-before' || fault === 'crash-after') {
      this.#giveUp(attempt, 'crashed');
      this.#calls = this.#calls.filter((one) => one.attempt !== attempt);
      if (fault === 'crash-after') await call.act('done');
      return;
    }
    attempt.waiting -= 1;
    await call.act(fault ?? 'done');
  }

  async #faultOf({ attempt, takesEffect }: Call): Promise<Fault | null> {
    if (!this.#hasFaults || attempt.state !== 'at-work') return null;
    const isWrite = await takesEffect();
    if (!this.chance(isWrite ? WRITES_AT_FAULT : READS_AT_FAULT)) return null;
    return this.pick(isWrite ? FAULTS_OF_WRITES : FAULTS_OF_READS);
  }

  #giveUp(attempt: Attempt, state: 'given-up' | 'crashed'): void {
    attempt.state = state;
    this.#rejects.get(attempt)?.(new NoAnswer(`${attempt.name} was given up`));
  }

  /** A store as an attempt sees it. After a crash no call of it is ever answered. */
  #wrap(attempt: Attempt, store: ObjectStore, name: string): ObjectStore {
    const never = async () => false;
    const turn = <T>(what: string, act: () => Promise<T>, takesEffect: () => Promise<boolean> = never): Promise<T> =>
      new Promise((resolve, reject) => {
        attempt.waiting += 1;
        const perform = async (fate: Fate): Promise<void> => {
          const unavailable = new OpalineError('STORE_UNAVAILABLE', 'The simulated store does not answer.');
          if (fate === 'refused') return reject(unavailable);
          const outcome = fate === 'repeated' ? act().then(act) : act();
          const answer = (value: T) => (fate === 'lost' ? reject(unavailable) : resolve(value));
          await outcome.then((value) => attempt.state !== 'crashed' && answer(value), reject);
        };
        this.#calls.push({ attempt, what: `${what} in ${name}`, takesEffect, act: perform });
      });
    return {
      ...storeMethods(store),
      get: (key, range) => turn(`get ${key}`, () => store.get(key, range)),
      head: (key) => turn(`head ${key}`, () => store.head(key)),
      readPage: (key) => turn(`read ${key}`, () => store.readPage(key)),
      async *list(prefix) {
        await turn(`list ${prefix}`, async () => undefined);
        yield* store.list(prefix);
      },
      putIfAbsent: (key, body) =>
        turn(
          `put ${key}`,
          () => store.putIfAbsent(key, body),
          async () => (await store.head(key)) === null,
        ),
      swapPage: (key, current, bytes) =>
        turn(
          `swap ${key}`,
          () => store.swapPage(key, current, bytes),
          async () => true,
        ),
    };
  }
}
