import type { AuditReport } from '../../contracts/audit-report.ts';
import { TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS, parseReleasePath, releasePath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { reportHistory } from '../../counts/audit/warnings/usual-taps.ts';
import { joinNames } from '../../counts/audit/warnings/warning.ts';
import { WARNINGS } from '../../counts/audit/warnings/warnings.ts';
import { mapAtOnce } from '../../services/at-once.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { ensure, type HistoryPlace, Mismatch } from '../../services/publication/verification-check.ts';
import { readSeriesRelease } from '../../services/series-pages/series-release.ts';
import { readBytesIfPresent } from '../../services/stores/json-objects.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { AT_ONCE, comparable, earlierPublications, marginsOf } from './public/audit-subject/past.ts';
import { privacyFileSchema } from './public/privacy-file.ts';
import { subjectOf } from './verification.ts';

/** Earlier publications as an audit names them, newest first. */
type Named = NonNullable<AuditReport['history']>['read'];

/**
 * What each audit found beside earlier publications is what these give, by the digests that it names: usual totals and
 * profiles, changed places. What a publisher had signed before and the audit does not name is named here, and so is what
 * nobody signed: it may have come while the release waited at its gate. `place`: null where none is at hand.
 *
 * @contract C15
 * @contract C16
 */
export async function checkHistory(
  publication: Publication,
  place: HistoryPlace | null,
  trust: TrustChain | null,
): Promise<string> {
  const { form } = publication.manifest.texts;
  if (form !== TEXTS_FORM)
    return `Findings not compared: they are of form ${form}, and this verifier makes form ${TEXTS_FORM}.`;
  const earlier = place && {
    ...place,
    trust,
    ...(await earlierPublications(place.store, publication.manifest, trust)),
  };
  const sentences: string[] = [];
  for (const audit of auditsOf(publication)) sentences.push(await checkAudit(publication, audit, earlier));
  return [...new Set(sentences), ...(earlier ? await othersThere(publication, earlier) : [])].join(' ');
}

/** What is at the place, read once. */
type Earlier = HistoryPlace & { trust: TrustChain | null } & Awaited<ReturnType<typeof earlierPublications>>;

async function checkAudit(
  publication: Publication,
  { history, checks }: AuditReport,
  place: Earlier | null,
): Promise<string> {
  if (!history) throw new Mismatch('The audit does not say which earlier publications it read.');
  const { read, left, unusual } = history;
  const { series, window } = publication.manifest;
  const releases = read.map(({ release }) => parseReleasePath(release));
  const windows = [window, ...releases.map((one) => (one?.series === series ? one.window : '~'))];
  ensure(
    windows.every((one, at) => at === 0 || one < windows[at - 1]!),
    'The audit names earlier publications that are not earlier ones of this series, newest first.',
  );
  if (read.length > 0 && !place)
    return `Not made again: what the audit found beside ${read.length} earlier publications; name the place of the series with --history.`;
  const peers = place ? await readNamed(publication, read, place) : [];
  if (!Array.isArray(peers))
    return `Not made again: what the audit found beside earlier publications, of which ${peers.absent} are not there.`;
  const subject = await subjectOf(publication);
  const evidence = { left, unusual, read: read.map((one, at) => ({ ...one, rows: peers[at]!.totals.rows })) };
  const again = { ...subject, knowledge: { ...subject.knowledge, past: marginsOf(peers), history: evidence } };
  const findings = WARNINGS.map((warn) => warn(again));
  const ids = findings.map(({ id }) => id);
  const claims = checks.filter(({ id }) => ids.includes(id));
  const wrong = findings.filter((one, at) => canonicalJson(one) !== canonicalJson(claims[at] ?? null));
  ensure(
    wrong.length === 0 && claims.length === ids.length,
    `Not what the earlier publications give that the audit names: ${wrong.map(({ id }) => id).join(', ') || 'a check that is there twice'}.`,
  );
  ensure(
    canonicalJson(reportHistory(again, evidence)) === canonicalJson(history),
    'Totals, usual ranges or changed places of the audit are not what the earlier publications give that it names.',
  );
  return `What the audit found beside earlier days follows from ${read.length === 0 ? 'no earlier publication' : `the earlier publications ${joinNames(read.map(({ release }) => release))}`}.`;
}

const auditsOf = ({ audits }: Publication): AuditReport[] => audits.filter((one) => one !== undefined);

function ownOf(publication: Publication) {
  const { parameters, domain } = privacyFileSchema.parse(publication.json(FILES.privacy));
  return { certificate: parameters, days: domain.days };
}

/** What these publications say; or which of them are not there, where nobody said that they are. */
async function readNamed(publication: Publication, entries: Named, { store, isNamed, signed: there, trust }: Earlier) {
  const own = ownOf(publication);
  const outcomes = await mapAtOnce(entries, AT_ONCE, async ({ release: path, manifest, totals }) => {
    const release = parseReleasePath(path)!;
    const candidate =
      there.find((one) => releasePath(one.release) === path) ?? (await readSeriesRelease(store, release, trust));
    if (!candidate && !(await readBytesIfPresent(store, PUBLIC_KEYS.file(release, FILES.manifest)))) return 'absent';
    const one = candidate?.manifestDigest === manifest ? await comparable(store, candidate, own) : null;
    return one && one !== 'damaged' && one.totals.totals === totals ? one : 'other';
  });
  const namesOf = (what: 'absent' | 'other') =>
    entries.filter((_, at) => outcomes[at] === what).map(({ release }) => release);
  const [absent, others] = [namesOf('absent'), namesOf('other')];
  ensure(others.length === 0, `Not the earlier publications that the audit read: ${joinNames(others)}.`);
  ensure(
    !isNamed || absent.length === 0,
    `Earlier publications that the audit read are not there: ${joinNames(absent)}.`,
  );
  return absent.length > 0 ? { absent: joinNames(absent) } : outcomes.filter((one) => typeof one !== 'string');
}

/** What else is there, or was taken back, in sentences. */
async function othersThere(publication: Publication, { store, signed, unsigned, newest }: Earlier): Promise<string[]> {
  const { publishedAt } = publication.attestation;
  const histories = auditsOf(publication).flatMap(({ history }) => history ?? []);
  const inputs = new Set(histories.flatMap((one) => one.read.map(({ release }) => release)));
  const names = new Set([...inputs, ...histories.flatMap(({ left }) => left.map(({ release }) => release))]);
  const own = ownOf(publication);
  const before = newest.filter(
    ({ release, attestation }) => !inputs.has(releasePath(release)) && attestation.publishedAt < publishedAt,
  );
  const same = await mapAtOnce(before, AT_ONCE, (one) => comparable(store, one, own));
  const takenBack = signed.filter(
    ({ release, retraction }) => inputs.has(releasePath(release)) && retraction && retraction.retractedAt < publishedAt,
  );
  const sentence = (what: string, releases: readonly Parameters<typeof releasePath>[0][]): string[] =>
    releases.length === 0 ? [] : [`${what}: ${joinNames(releases.map(releasePath))}.`];
  return [
    ...sentence(
      'Public before this release, and not among them',
      before.filter((_, at) => same[at] !== null).map(({ release }) => release),
    ),
    ...sentence(
      'Taken back before this release was public',
      takenBack.map(({ release }) => release),
    ),
    ...sentence(
      'Not signed by a publisher, and not named by the audit',
      unsigned.filter((one) => !names.has(releasePath(one))),
    ),
  ];
}
