import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { listWithRetractions, type ReleaseLine } from '../../client/release/retractions.ts';
import { readStoredLists } from '../../client/series/stored-lists.ts';
import type { PrivateDeployment } from '../../contracts/deployment.ts';
import { ERRORS, type ErrorCode, OpalineError, wrongUse } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, parseReleasePath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { type InputReport, releaseInput } from '../../custodian/preview/input-report.ts';
import { listWarnings } from '../../custodian/preview/kept-warnings.ts';
import { findUndeclared, lookNotice, type Previewed, preview } from '../../custodian/preview/preview.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { type ReleaseReport, reportReleases } from '../../custodian/risk/release-reports.ts';
import { riskContent } from '../../custodian/risk/report-page.ts';
import type { RiskReport } from '../../custodian/risk/risk-report.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { jsonOrNull, readBytesIfPresent } from '../../services/stores/json-objects.ts';
import { listSeriesNames, readApplied } from '../../services/stores/series-objects.ts';
import { clip } from '../safe-text.ts';

/** Releases and warnings that one page lists. */
const MOST_LISTED = 100;
/** Bytes of the key under which rows of a risk report are named. */
const KEY_BYTES = 32;

/** What a console of a custodian is made with. */
export type CustodianSide = {
  deployment: PrivateDeployment;
  /** The custodian side as its files say now: asked for again for each page. */
  context: () => Promise<PrivateContext>;
  /** Series files that can be previewed beside those that were applied, by name; read again for each look. */
  files: ReadonlyMap<string, () => Promise<Previewed>>;
};

/** What is checked of a report that is read back; the rest of it is as `riskReport` made it, in the private store. */
const storedRisk = z.looseObject({ format: z.literal('opaline-risk/1') });

export type CustodianData = ReturnType<typeof custodianData>;

/** What each page shows, by the name of what gives it; null where it can be missing. */
export type CustodianPageData = { [Page in keyof CustodianData]: Awaited<ReturnType<CustodianData[Page]>> };

/**
 * What the pages of a custodian show, by the functions of the commands `preview`, `rejects`, `risk` and `order`: exact
 * numbers of raw data. They leave this process as an answer to a custodian, and no other way.
 *
 * @contract C5
 */
export function custodianData({ deployment, context, files }: CustodianSide) {
  const { temporal, trust, releaseStore } = deployment;
  let client: Promise<OpalineClient> | null = null;
  const connect = (): Promise<OpalineClient> => {
    client ??= openClient({ temporal, trust, releaseStore }).catch((error: unknown) => {
      client = null;
      throw error;
    });
    return client;
  };

  return {
    async close(): Promise<void> {
      await (await client?.catch(() => null))?.close();
    },

    async home() {
      const { privateStore } = await context();
      const warnings = await listWarnings(privateStore, MOST_LISTED);
      try {
        const lines = await listWithRetractions(await connect());
        // `unknown`: why nobody can say what waits.
        return { waiting: lines.flatMap(needsOf), unknown: null, warnings };
      } catch (error) {
        if (!(error instanceof OpalineError)) throw error;
        return { waiting: [], unknown: `${error.code}: ${error.message}`, warnings };
      }
    },

    /** Names of what can be previewed: files first, then series that were applied. */
    async previewable(): Promise<string[]> {
      return [...files.keys(), ...(await listSeriesNames((await context()).releaseStore))];
    },

    /** Recorded before it is shown, as that of the command is (C17). */
    async preview(name: string, window: string) {
      const side = await context();
      const file = await (files.get(name)?.() ?? loadApplied(side, name));
      if (!z.iso.date().safeParse(window).success) throw wrongUse('Name the first day of a window, as 2026-03-02.');
      const look = await preview(side, file, window);
      const unsaid = await findUndeclared(side, file);
      const { series } = file;
      const rules = side.policy.policy.populations[series.population];
      return {
        // `sample`, values of rows, is shown to whoever asks, and no part of the JSON.
        series: series.series,
        window,
        ...look,
        unsaid,
        notice: lookNotice(file, unsaid),
        /** Does the policy ask that deliveries are cleared? */
        isCleared: rules?.clearance === true,
      };
    },

    /** Releases whose source was read here, the newest window first. */
    async releases(): Promise<string[]> {
      const names = new Set<string>();
      for await (const { key } of (await context()).privateStore.list(PRIVATE_KEYS.allInventories))
        names.add(key.split('/').slice(1, 4).join('/'));
      const windowOf = (name: string): string => name.split('/')[1] ?? '';
      const paths = [...names].filter((name) => parseReleasePath(name) !== null);
      return paths.sort((a, b) => windowOf(b).localeCompare(windowOf(a)) || a.localeCompare(b)).slice(0, MOST_LISTED);
    },

    async input(release: ReleaseReference, rows: number): Promise<InputReport> {
      return releaseInput(await context(), release, rows);
    },

    /** Null: it has no report, or one that is no longer read. */
    async risk(release: ReleaseReference) {
      const { privateStore } = await context();
      const bytes = await readBytesIfPresent(privateStore, PRIVATE_KEYS.releaseRisk(release, 'json'));
      const { data } = storedRisk.safeParse(jsonOrNull(bytes?.toString('utf8') ?? ''));
      if (!data) return null;
      const report = clip(data as unknown as RiskReport);
      return { report, content: await riskContent(report, releasePath(release)) };
    },

    async makeReports(): Promise<ReleaseReport[]> {
      return reportReleases(await context(), randomBytes(KEY_BYTES));
    },

    async policy() {
      const { policy, numbered } = (await context()).policy;
      // Public keys, by the names under which signatures are looked for.
      const keys = policy.keys.map(({ key, ...one }) => ({ ...one, keyId: keyIdOfPem(key) }));
      return { ...policy, digest: numbered.digest, keys };
    },
  };
}

/** What of a release waits for a custodian: for an order, a signature, or a change of the policy. */
function needsOf(line: ReleaseLine) {
  const { open } = line;
  if (!open) return [];
  const failures = open.partitions.flatMap(({ state, code, message }) =>
    state === 'failed' && code ? [{ code, message: message ?? '' }] : [],
  );
  const causes = new Map([...failures, ...(open.stall ? [open.stall] : [])].map((one) => [one.code, one.message]));
  return [...causes].flatMap(([code, sentence]) => {
    const words = ERRORS[code as ErrorCode];
    return words?.actor === 'custodian' ? [{ release: releasePath(line), code, sentence, mend: words.mend }] : [];
  });
}

/** A series that was applied, with its public lists. */
async function loadApplied({ releaseStore, kinds }: PrivateContext, name: string): Promise<Previewed> {
  if (!(await listSeriesNames(releaseStore)).includes(name)) throw wrongUse('No such series was applied here.');
  const { series, digest } = await readApplied(releaseStore, name);
  return { series, digest, dictionaries: await readStoredLists(releaseStore, kinds, series) };
}
