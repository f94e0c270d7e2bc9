import type { Command } from 'commander';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import { readVerifiedPublication } from '../../client/verify/verify-publication.ts';
import { on } from '../../client/workflow-calls.ts';
import type { PrivateDeployment } from '../../contracts/deployment.ts';
import { ERRORS, type ErrorCode, EXIT, OpalineError, wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { accountingOf, isRho, measuresOf } from '../../core/accounting/charged-amount.ts';
import { windowsOfYear } from '../../core/calendar/window.ts';
import { compare, formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { sourceNames } from '../../custodian/check-series.ts';
import { readPolicyFile } from '../../custodian/policy/policy-file.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import type { CommandResult } from '../../kinds/kind-command.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { has } from '../../services/files/fields.ts';
import { readYaml } from '../../services/files/yaml.ts';
import { costIn } from '../../services/ledger/charge.ts';
import { newestVersion, requirePin } from '../../services/trust/trust-chain.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { requireAllowedBy } from '../allowed-series.ts';
import { hasClientDeployment, releaseStore } from '../client-deployment.ts';
import { command } from '../command.ts';
import { contextOf, privateDeployment } from '../private-deployment.ts';
import { changeLines, policyLines, versionLines } from '../trust-text.ts';

/** A trust file grows with each version; series files and policies are far smaller. */
const MOST_BYTES = 16 * 2 ** 20;

/** What kind of file each option is for. */
const OPTIONS_OF = { before: 'policy', pin: 'trust', designs: 'series', like: 'series' } as const;

/** What was looked at, and what is wrong with it; null: nothing. */
type Look = { what: string; code: ErrorCode | null; sentence: string };

export const checkCommand = (): Command =>
  command('check <file>', 'check a series file, with policy, signature and stores; a policy; or a trust file (.json)')
    .option('--before <file>', 'the policy before a policy: show what changes since')
    .option('--pin <n:digest>', 'the version that has to be in a trust file')
    .option(
      '--designs',
      'print the designs that ε and unit of a series file allow, and what each may show, side by side',
    )
    .option('--like <dir>', 'with --designs: an earlier publication, to estimate what each design would show')
    .example('opaline check series.yaml')
    .run(async ({ file }, options) => {
      const kind = await kindOfFile(file);
      for (const [option, fileKind] of Object.entries(OPTIONS_OF))
        if (options[option as keyof typeof OPTIONS_OF] !== undefined && kind !== fileKind)
          throw wrongUse(`--${option} goes with a ${fileKind} file, and ${file} is not one.`);
      if (options.like !== undefined && !options.designs) throw wrongUse('--like goes with --designs only.');
      if (kind === 'trust') return checkTrust(file, options.pin);
      if (kind === 'policy') return checkPolicy(file, options.before);
      return options.designs ? compareDesigns(file, options.like) : checkSeries(file);
    });

/** What a file says that it is; one that says nothing is read as a series file, which names its mistakes. */
async function kindOfFile(path: string): Promise<'series' | 'policy' | 'trust'> {
  const { bytes } = await readBoundedFile(path, MOST_BYTES);
  const { value } = readYaml(bytes?.toString('utf8') ?? '');
  if (/\.json$/i.test(path) || has(value, ['versions'])) return 'trust';
  return has(value, ['populations']) ? 'policy' : 'series';
}

async function checkTrust(file: string, pin: string | undefined): Promise<CommandResult> {
  const chain = await readTrustFile(file);
  if (pin !== undefined) requirePin(chain, readPin(pin));
  const newest = newestVersion(chain);
  const statements = versionLines(newest);
  const text = lines(
    `Trust file of ${newest.organisation}, version ${newest.number}; the chain holds.`,
    `Digest of version ${newest.number}: ${newest.digest}`,
    statements,
  );
  return { value: { ...newest, lines: statements }, text };
}

/** Reads `NUMBER:DIGEST`. Throws USAGE. */
function readPin(text: string): { number: number; digest: string } {
  const match = /^([1-9]\d{0,5}):([0-9a-f]{64})$/.exec(text);
  if (!match) throw wrongUse('--pin takes the number of a version and its digest, as 3:0a1b….');
  return { number: Number(match[1]), digest: match[2]! };
}

async function checkPolicy(file: string, earlier: string | undefined): Promise<CommandResult> {
  const { policy, numbered } = await readPolicyFile(file);
  const before = earlier === undefined ? null : await readPolicyFile(earlier);
  if (before && before.numbered.number >= numbered.number && before.numbered.digest !== numbered.digest)
    throw new OpalineError(
      'POLICY_INVALID',
      `The policy before has number ${before.numbered.number}; raise the number of this one above it.`,
    );
  const changes = before && changeLines(policyLines(before.policy), policyLines(policy));
  const text = lines(
    `✓ The policy is sound. It is number ${numbered.number}, SHA-256 ${numbered.digest}.`,
    changes ? [`What changes since number ${before!.numbered.number}:`, changes] : policyLines(policy),
  );
  const facts = { ...numbered, demo: policy.demo, populations: Object.keys(policy.populations) };
  return { value: { ...facts, ...(changes && { changes }) }, text };
}

/** `like`: the folder of an earlier publication. Throws USAGE, and VERIFICATION_FAILED where that one does not verify. */
async function compareDesigns(file: string, like: string | undefined): Promise<CommandResult> {
  const { series, dictionaries } = await loadSeriesFile(file);
  const { designs } = kindOf(CLIENT_KINDS, series);
  if (!designs) throw wrongUse(`A series of ${series.kind} has one design; nothing is to be chosen.`);
  return designs(series, dictionaries, like === undefined ? null : await readVerifiedPublication(like));
}

async function checkSeries(file: string): Promise<CommandResult> {
  const deployment = await privateDeployment();
  const seriesFile = await loadSeriesFile(file, CLIENT_KINDS, deployment && Object.keys(deployment.sources));
  const { series, digest, dictionaries } = seriesFile;
  const kind = kindOf(CLIENT_KINDS, series);
  const sound = (what: string, sentence: string): Look => ({ what, code: null, sentence });
  const looks = [
    sound('series file', `${file}, SHA-256 ${digest}`),
    ...dictionaries.map((list) => sound('public list', `${list.bytes.length} bytes, SHA-256 ${list.digest}`)),
    ...kind.protection(series, dictionaries).inWords.map((sentence) => sound('parameters', sentence)),
    ...((await kind.expected?.(series, dictionaries, null)) ?? []).map((sentence) => sound('expected', sentence)),
    ...correctionLooks(seriesFile),
    ...(deployment ? await custodianLooks(deployment, seriesFile) : []),
    ...(hasClientDeployment()
      ? [await look('release store of the client', async () => reach(await releaseStore()))]
      : []),
  ];
  const bad = looks.flatMap(({ code }) => code ?? []);
  const text = lines(
    looks.map(({ what, code, sentence }) =>
      code === null ? `✓ ${what}: ${sentence}` : `✗ ${what}: ${code}: ${sentence}`,
    ),
    !deployment && '  Source, policy and signature are checked on the custodian side; run this there too.',
  );
  const value = { series: series.series, digest, sound: bad.length === 0, looks };
  const exit = bad.length > 0 ? Math.max(...bad.map((code) => ERRORS[code].exit), EXIT.badInput) : undefined;
  return { value, text, exit };
}

/** Says when the releases of a year use up the cap of the year: nothing is wrong, until something has to be corrected. */
function correctionLooks({ series }: LoadedSeries): Look[] {
  const { year } = series.privacy.caps;
  const { cost, terms } = kindOf(CLIENT_KINDS, series);
  const once = costIn(accountingOf(year), cost(series, terms(series).neighbours));
  const [first] = measuresOf<string>(once, year);
  const releases = windowsOfYear(series);
  const total = multiply(parseRational(first!.pair[0]), rational(BigInt(releases + 1)));
  if (compare(total, parseRational(first!.pair[1])) <= 0) return [];
  const sentence = `up to ${releases} windows touch 365 days, and privacy.caps.year.${isRho(year) ? 'rho' : 'epsilon'} leaves no room for a correction; ${formatRational(total)} does`;
  return [{ what: 'caps', code: null, sentence }];
}

async function custodianLooks(deployment: PrivateDeployment, seriesFile: LoadedSeries): Promise<Look[]> {
  const context = await contextOf(deployment);
  const { store, pattern } = seriesFile.series.source;
  return [
    await look('policy and signature', async () => {
      await requireAllowedBy(context, seriesFile);
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

async function reach(store: ObjectStore): Promise<string> {
  await store.head('check/reachable.json');
  return `${store.location} answers`;
}

const look = (what: string, work: () => Promise<string>): Promise<Look> =>
  work().then(
    (sentence) => ({ what, code: null, sentence }),
    on(OpalineError, ({ code, message }) => ({ what, code, sentence: message })),
  );
