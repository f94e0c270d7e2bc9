import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { newFolder } from '../support/new-folder.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { uploadFolder } from '../support/store-folders.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { TEST_SOURCES } from '../support/test-trust.ts';
import { startTwoSidedGateway, type TwoSidedGateway } from '../support/two-sided-gateway.ts';

/** A stack whose stores are buckets of a real S3 server, and whoever has credentials for the bucket of releases. */
export class BucketStack {
  readonly stack: TestStack;
  readonly series: SmallSeries;
  readonly gateway: TwoSidedGateway;

  private constructor(stack: TestStack, series: SmallSeries, gateway: TwoSidedGateway) {
    this.stack = stack;
    this.series = series;
    this.gateway = gateway;
  }

  static async open(changes: Record<string, string> = {}): Promise<BucketStack> {
    const gateway = await startTwoSidedGateway();
    const folder = newFolder();
    try {
      await writeSmallTrips(folder);
      await uploadFolder(folder, gateway.store('source', undefined, 'trips'), '.csv.gz');
      const stack = await startTestStack((root) => gateway.deployments(root, TEST_SOURCES));
      return new BucketStack(stack, await writeSmallSeries(join(stack.root, 'small'), changes), gateway);
    } catch (error) {
      await gateway.stop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.stack.end();
    await this.gateway.stop();
  }

  /** A release of the small series at its gate. */
  async gated(version: number): Promise<Run> {
    const run = await startSmall(this.stack.client, this.series, version);
    await reaches(this.stack.client, run, ['waiting'], 120);
    return run;
  }

  /** Approves it; the state that it comes to rest in, or the code with which nobody can approve it. */
  async decided(run: Run): Promise<string> {
    const { client } = this.stack;
    const answer = await decideSmall(client, this.series, run, 'approve').catch(({ code }) => ({
      accepted: false,
      code,
    }));
    if (!answer.accepted) return 'code' in answer ? String(answer.code) : 'refused';
    return (await reaches(client, run, ['published', 'failed', 'stalled', 'ending-stalled'], 60)).state;
  }

  /** Is the release public with this manifest, and with the very files that it lists? */
  async isPublished(run: Run, manifest: Buffer): Promise<boolean> {
    const store = this.gateway.store('publication');
    const read = (name: string) => readBytes(store, PUBLIC_KEYS.file(run, name));
    const { files } = manifestSchema.parse(JSON.parse(manifest.toString('utf8')));
    for (const { name, sha256: digest } of files) if (sha256(await read(name)) !== digest) return false;
    return manifest.equals(await read(FILES.manifest));
  }

  /** The keys that are public of a release. */
  async published(run: Run): Promise<string[]> {
    const keys: string[] = [];
    const prefix = `${run.series}/${run.window}/v${run.version}/`;
    for await (const { key } of this.gateway.store('publication').list(prefix)) keys.push(key.slice(prefix.length));
    return keys;
  }
}

/** Whoever has credentials for the bucket of releases, and speaks S3 themselves: no condition, no digest, no order. */
export class BucketAttacker {
  readonly #client: S3Client;

  constructor({ endpoint, region, credentials }: ReturnType<TwoSidedGateway['credentials']>) {
    this.#client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
  }

  async read(key: string): Promise<Buffer> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: 'release', Key: key }));
    return buffer(Body as NodeJS.ReadableStream);
  }

  /** The first key with a prefix. */
  async firstBelow(prefix: string): Promise<string> {
    const { Contents } = await this.#client.send(new ListObjectsV2Command({ Bucket: 'release', Prefix: prefix }));
    return Contents![0]!.Key!;
  }

  async replace(key: string, bytes: Buffer): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: 'release', Key: key, Body: bytes }));
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: 'release', Key: key }));
  }
}
