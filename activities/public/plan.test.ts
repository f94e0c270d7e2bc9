import { afterEach, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { ada, ben, eve, type TestRelease, testRelease, testSeries } from '../../test/support/test-release.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { plan } from './plan.ts';

const keyed = ({ subject, publicKey }: typeof ada) => ({ subject, key: publicKey });
/** As series files of earlier builds have it: nobody could ever sign as such a person. */
const byConsole = { subject: 'cleo@example.org', issuer: 'idp', via: 'console-key' };

let release: TestRelease;
afterEach(() => release.remove());

const planned = () => plan(release.context, { ...release.run, execution: 'a' });
const withApprovers = (...approvers: object[]) => testSeries({ gate: { approvers, required: 2 } });

test('what an earlier build stored is read, and planned when enough of its approvers can sign', async () => {
  release = await testRelease(withApprovers(keyed(ada), keyed(ben), byConsole));
  expect(await planned()).toMatchObject({ required: 2, expiresAfterDays: 21 });
});

test.each([
  ['an approver without a key', byConsole],
  ['an approver who is a custodian', keyed(eve)],
  ['a second key of the same person', keyed({ ...ben, subject: ada.subject })],
])('a series that nobody can approve, because of %s, is refused before anything is charged', async (_, other) => {
  release = await testRelease(withApprovers(keyed(ada), other));
  await expect(planned()).rejects.toMatchObject({ code: 'SERIES_INVALID', message: expect.stringContaining('2 app') });
});

test('a series by whose mechanism nothing is drawn is refused before anything is charged', async () => {
  const { privacy } = testSeries();
  release = await testRelease(testSeries({ privacy: { ...privacy, mechanism: 'sbh-2017' } }));
  await expect(planned()).rejects.toMatchObject({ code: 'SERIES_INVALID' });
});

test('the newest applied file says who can sign, as it does for a decision', async () => {
  release = await testRelease(withApprovers(keyed(ada), byConsole));
  const { releaseStore } = release.context;
  const bytes = jsonBytes(withApprovers(keyed(ada), keyed(ben)));
  await releaseStore.putIfAbsent(RELEASE_KEYS.series('demo', sha256(bytes)), bytes);
  await releaseStore.compareAndSwap(RELEASE_KEYS.appliedSeries('demo'), null, { digest: sha256(bytes) });
  expect(await planned()).toMatchObject({ required: 2 });
});
