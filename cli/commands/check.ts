import { Command } from 'commander';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import type { PrivateDeployment } from '../../contracts/deployment.ts';
import { ERRORS, type ErrorCode, EXIT, OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { windowsOfYear } from '../../core/calendar/window.ts';
import { compare, formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { sourceNames } from '../../custodian/check-series.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { requireAllowedBy } from '../allowed-series.ts';
import { define } from '../command.ts';
import { clientDeployment, hasClientDeployment } from '../deployment.ts';
import { contextOf, privateDeployment } from '../private-deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

/** What was looked at, and what is wrong with it; null: nothing. */
type Look = { what: string; code: ErrorCode | null; sentence: string };

export function checkCommand(): Command {
  const command = new Command('check')
    .description('check a series file without a window: its fields and lists, the policy, the signature, the stores')
    .argument('<series>', 'the series file');
  return define(command, 'opaline check series.yaml', async ([file], options: OutputOptions) => {
    const deployment = await privateDeployment();
    const loaded = await loadSeriesFile(file!, CLIENT_KINDS, deployment && Object.keys(deployment.sources));
    const looks = [
      { what: 'series file', code: null, sentence: `${file}, SHA-256 ${loaded.digest}` },
      ...loaded.dictionaries.map(({ bytes, digest }) => ({
        what: 'public list',
        code: null,
        sentence: `${bytes.length} bytes, SHA-256 ${digest}`,
      })),
      ...kindOf(CLIENT_KINDS, loaded.series)
        .protection(loaded.series, loaded.dictionaries)
        .inWords.map((sentence) => ({ what: 'parameters', code: null, sentence })),
      ...correctionLooks(loaded),
      ...(deployment ? await custodianLooks(deployment, loaded) : []),
      ...(await clientLooks()),
    ];
    const bad = looks.filter(({ code }) => code !== null);
    if (bad.length > 0) process.exitCode = Math.max(...bad.map(({ code }) => ERRORS[code!].exit), EXIT.badInput);
    const lines = looks.map(({ what, code, sentence }) =>
      code === null ? `✓ ${what}: ${sentence}` : `✗ ${what}: ${code}: ${sentence}`,
    );
    if (!deployment)
      lines.push('  Source, policy and signature are checked on the custodian side; run this there too.');
    print(
      options,
      { series: loaded.series.series, digest: loaded.digest, sound: bad.length === 0, looks },
      lines.join('\n'),
    );
  });
}

/** Says when the releases of a year use up the cap of the year: nothing is wrong, until something has to be corrected. */
function correctionLooks({ series }: LoadedSeries): Look[] {
  const { epsilon, caps } = series.privacy;
  const releases = windowsOfYear(series);
  const spent = multiply(parseRational(epsilon), rational(BigInt(releases + 1)));
  if (compare(spent, parseRational(caps.year.epsilon)) <= 0) return [];
  const sentence = `up to ${releases} windows touch 365 days, and privacy.caps.year.epsilon leaves no room for a correction; ${formatRational(spent)} does`;
  return [{ what: 'caps', code: null, sentence }];
}

async function custodianLooks(deployment: PrivateDeployment, loaded: LoadedSeries): Promise<Look[]> {
  const context = await contextOf(deployment);
  const { store, pattern } = loaded.series.source;
  return [
    await look('policy and signature', async () => {
      await requireAllowedBy(context, loaded);
      return 'a key of the policy has signed it, and the policy allows it';
    }),
    await look(`source ${store}`, async () => {
      const source = context.sourceStore(store);
      const { objects, first, last, stray } = await sourceNames(source, pattern);
      const other = stray === null ? '' : ` ${stray} does not fit it, and is not read.`;
      if (objects === 0)
        throw new OpalineError('OBJECT_MISSING', `${source.location} has no object that fits ${pattern}.${other}`);
      return `${objects} objects fit ${pattern}, from ${first} to ${last}.${other}`;
    }),
    await look('private store', () => reach(context.privateStore)),
    await look('release store', () => reach(context.releaseStore)),
  ];
}

async function clientLooks(): Promise<Look[]> {
  if (!hasClientDeployment()) return [];
  return [
    await look('release store of the client', async () => reach(openStore((await clientDeployment()).releaseStore))),
  ];
}

async function reach(store: ObjectStore): Promise<string> {
  await store.head('check/reachable.json');
  return `${store.location} answers`;
}

async function look(what: string, work: () => Promise<string>): Promise<Look> {
  try {
    return { what, code: null, sentence: await work() };
  } catch (error) {
    const code = codeOf(error);
    if (code === null) throw error;
    return { what, code, sentence: error instanceof Error ? error.message : ERRORS[code].meaning };
  }
}

const codeOf = (error: unknown): ErrorCode | null => (error instanceof OpalineError ? error.code : null);
