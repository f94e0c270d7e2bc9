import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { type ChildProcess, startProcess } from '../../stack/child-process.ts';
import { BucketStack } from '../attack/release-store-s3.fixture.ts';
import { blocksOf, Desk } from '../observe/runbooks.fixture.ts';
import { freeAddresses } from '../observe/scrape.fixture.ts';
import { startSmall } from '../support/releases.ts';
import { reaches } from '../support/test-stack.ts';
import { keyFile } from '../support/two-sided-gateway.ts';

const SIDES = ['private', 'public'] as const;
type Side = (typeof SIDES)[number];

/** States in which a person is needed for something else than the gate. */
const IN_TROUBLE: readonly ReleaseState[] = ['partitions-failed', 'stalled', 'ending-stalled', 'failed'];

/** Releases under way beside a rotation: more than two hosts can draw in its time would only wait for each other. */
const AT_ONCE = 8;

/** What no rotation may make a worker say. */
const FALSE = /LEDGER_BROKEN|COPY_DIFFERS|VERIFICATION_FAILED|LEDGER_BEHIND/;

/**
 * Two hosts on one Temporal and one S3 server, each with a private and a public worker that have files, scratch, state
 * and ports of their own: the stack is the first, the folder `other` the second.
 */
export class TwoHosts {
  readonly bucket: BucketStack;
  /** Folder of the second host. */
  readonly other: string;
  readonly health: Record<Side, string>;
  readonly #workers: ChildProcess[];
  #versions = 0;

  private constructor(bucket: BucketStack, health: Record<Side, string>, workers: ChildProcess[]) {
    this.bucket = bucket;
    this.other = join(bucket.stack.root, 'other');
    this.health = health;
    this.#workers = workers;
  }

  static async open(): Promise<TwoHosts> {
    const bucket = await BucketStack.open({ epsilon: '2', blockEpsilon: '1000' }); // the slower the hosts, the more releases
    const workers: ChildProcess[] = [];
    const { files } = bucket.stack;
    const other = join(bucket.stack.root, 'other');
    const [metricsA, healthA, metricsB, healthB] = (await freeAddresses(4)) as [string, string, string, string];
    await mkdir(other, { recursive: true });
    await Promise.all([
      copyFile(files.trust, join(other, 'trust.json')),
      copyFile(files.policy, join(other, 'policy.yaml')),
      copyFile(files.key('ledger'), join(other, 'ledger.pem')),
      copyFile(files.key('publisher'), join(other, 'publisher.pem')),
    ]);
    const observed = {
      private: { metrics: metricsA, health: healthA },
      public: { metrics: metricsB, health: healthB },
    };
    for (const side of SIDES) {
      const keys = keyFile(bucket.stack.root, side);
      for (const ending of ['id', 'secret']) await copyFile(`${keys}.${ending}`, join(other, `s3-${side}.${ending}`));
      const text = await readFile(files.deployment(side), 'utf8');
      const own = JSON.parse(text.replaceAll(keys, join(other, `s3-${side}`)));
      const key = side === 'private' ? 'ledger.pem' : 'publisher.pem';
      const custody = side === 'private' && {
        policyFile: join(other, 'policy.yaml'),
        stateFile: join(other, 'state.json'),
      };
      const scratch = join(other, 'scratch', side);
      await mkdir(scratch, { recursive: true });
      const deployment = {
        ...own,
        ...custody,
        trust: { file: join(other, 'trust.json') },
        keyFile: join(other, key),
        scratch,
        observe: observed[side],
      };
      const file = join(other, `${side}.json`);
      await writeFile(file, JSON.stringify(deployment));
      const worker = await startProcess(process.execPath, [`worker/${side}.ts`, file], join(other, `${side}.log`));
      workers.push(worker);
      if (!(await worker.ready())) throw new Error(await readFile(join(other, `${side}.log`), 'utf8'));
    }
    return new TwoHosts(bucket, { private: healthA, public: healthB }, workers);
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.bucket.close();
  }

  /** Starts a release of the small series: the next version of its window. */
  async started(): Promise<Run> {
    this.#versions += 1;
    return startSmall(this.bucket.stack.client, this.bucket.series, this.#versions);
  }

  /** The release is at its gate, and needed nobody on its way. */
  async gated(run: Run): Promise<Run> {
    expect((await reaches(this.bucket.stack.client, run, ['waiting', ...IN_TROUBLE], 300)).state).toBe('waiting');
    return run;
  }

  /** Starts releases one after the other while `work` is under way, AT_ONCE at most, and one more; gives all of them. */
  async underLoad(work: () => Promise<void>, pauseMs: number): Promise<Run[]> {
    const runs: Run[] = [await this.started()];
    let isOver = false;
    const done = work().finally(() => {
      isOver = true;
    });
    done.catch(() => {}); // it is awaited below
    while (!isOver) {
      await Promise.race([done.catch(() => {}), delay(pauseMs)]);
      if (runs.length >= AT_ONCE) await this.gated(runs.at(-AT_ONCE)!);
      runs.push(await this.started());
    }
    await done;
    return runs;
  }

  /** Where somebody follows the runbook on the first host. `names`: what the text says, and what it is here. */
  desk(name: string, names: Record<string, string> = {}): Promise<Desk> {
    const { stack, series } = this.bucket;
    return Desk.at(stack, name, { OTHER: this.other, 'series.yaml': series.file, ...names });
  }

  /** What the workers of the second host are not ready for, of one side; none: ready. */
  async causes(side: Side): Promise<string[]> {
    const answer = await fetch(`http://${this.health[side]}/readyz`);
    return ((await answer.json()) as { causes?: string[] }).causes ?? [];
  }

  /** Everything that both hosts have logged. */
  async log(): Promise<string> {
    const { files } = this.bucket.stack;
    const names = SIDES.flatMap((side) => [files.log(side), join(this.other, `${side}.log`)]);
    return (await Promise.all(names.map((name) => readFile(name, 'utf8')))).join('\n');
  }

  /** No worker has said what only an attack or a loss makes true. */
  async expectNothingFalse(): Promise<void> {
    const lines = (await this.log()).split('\n').filter((line) => FALSE.test(line));
    expect(lines.map((line) => line.slice(0, 300))).toEqual([]);
  }
}

/** Follows a block of the runbook Rotation; every line succeeds. */
export async function follow(desk: Desk, block: number): Promise<void> {
  const outcomes = await desk.follow(blocksOf('Rotation')[block]);
  expect(outcomes.filter(({ code }) => code !== 0)).toEqual([]);
}
