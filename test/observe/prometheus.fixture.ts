import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { provideTool } from '../../infra/provision/tools.mjs';
import { ROOT, readProjectFile } from '../tidy/source-files.ts';
import { until } from './scrape.fixture.ts';

/** Addresses in infra/observability/prometheus.yaml of the metrics of the two workers. */
const EXAMPLE = { private: '127.0.0.1:9464', public: '127.0.0.1:9466' };

/** Addresses of the metrics of the workers of each side. */
type Targets = { [side in keyof typeof EXAMPLE]: readonly string[] };

const labelled = { labels: z.record(z.string(), z.string()) };
const targets = z.object({ activeTargets: z.array(z.object({ ...labelled, health: z.string() })) });
const rule = z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() });
const rules = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });
const fired = z.object({ alerts: z.array(z.object({ ...labelled, state: z.string() })) });
const found = z.object({ result: z.array(z.unknown()) });

/** A Prometheus server with our rules and scrape example, except for its addresses and that it looks every second. */
export class Prometheus {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  /** Writes its configuration into a folder, which is made and holds what the server keeps; what starts it. */
  static async prepare(folder: string, address: string, workers: Targets): Promise<string[]> {
    await mkdir(folder);
    const text = readProjectFile('infra/observability/prometheus.yaml')
      .replace(`"${EXAMPLE.private}"`, JSON.stringify(workers.private).slice(1, -1))
      .replace(`"${EXAMPLE.public}"`, JSON.stringify(workers.public).slice(1, -1));
    const example = z.looseObject({ global: z.looseObject({}), rule_files: z.array(z.string()) }).parse(parse(text));
    const global = { ...example.global, scrape_interval: '1s', evaluation_interval: '1s' };
    const rule_files = example.rule_files.map((name) => join(ROOT, 'infra', 'observability', name));
    const file = join(folder, 'prometheus.yaml');
    await writeFile(file, JSON.stringify({ ...example, global, rule_files }));
    const { prometheus } = await provideTool('prometheus');
    const parameters = [`config.file=${file}`, `storage.tsdb.path=${folder}/data`, `web.listen-address=${address}`];
    return [prometheus, ...parameters.map((parameter) => `--${parameter}`)];
  }

  /** Starts one; gives it with what stops it. */
  static async start(folder: string, address: string, workers: Targets) {
    const [program, ...parameters] = await Prometheus.prepare(folder, address, workers);
    const child = spawn(program!, parameters, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const server = new Prometheus(address);
    const stop = async () => {
      child.kill();
      await ended;
    };
    await until(
      () => server.isReady(),
      (ready) => ready,
    );
    return { server, stop };
  }

  isReady(): Promise<boolean> {
    return fetch(`http://${this.#address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async targets() {
    return (await this.#ask('targets?state=active', targets)).activeTargets;
  }

  async rules() {
    return (await this.#ask('rules', rules)).groups.flatMap((group) => group.rules);
  }

  /** Labels of the alerts that fire. */
  async firing(): Promise<Record<string, string>[]> {
    return (await this.#ask('alerts', fired)).alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels);
  }

  /** How many series an expression has now. */
  async count(expression: string): Promise<number> {
    return (await this.#ask(`query?query=${encodeURIComponent(expression)}`, found)).result.length;
  }

  async #ask<T>(path: string, shape: z.ZodType<T>): Promise<T> {
    const answer: unknown = await (await fetch(`http://${this.#address}/api/v1/${path}`)).json();
    return z.object({ status: z.literal('success'), data: shape }).parse(answer).data;
  }
}
