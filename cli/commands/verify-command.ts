import type { Command } from 'commander';
import { MOST_HEAD_BYTES, seriesAt } from '../../client/verify/place.ts';
import type { VerificationReport } from '../../client/verify/verification-report.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import { EXIT, wrongUse } from '../../contracts/errors.ts';
import { lines } from '../../core/text/paragraphs.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { command } from '../command.ts';

const EXAMPLE = 'opaline verify .opaline/stores/publication/demo-taps/2026-03-02/v1 --trust .opaline/trust.json';

/** `name`: its name; a package has it alone. */
export const verifyCommand = (name = 'verify', example = EXAMPLE): Command =>
  command(name, 'check a publication: digests, signatures, certificate, sums …; or a series: head and pages')
    .argument('<place>', 'a folder, which is read offline, or its address (https)')
    .option('--trust <file>', 'the trust file of whoever publishes: without it nobody can say whose keys these are')
    .option('--seen <file>', 'a head.json of the series that you kept: what was in it has to be there still')
    .option(
      '--history <place>',
      'the series, a folder or an address: what the audit found beside earlier publications is made again from them',
    )
    .example(example)
    .run(async ({ place }, options) => {
      const trust = options.trust === undefined ? null : await readTrustFile(options.trust);
      const series = await seriesAt(place);
      const report = series
        ? await verifySeries(series, { trust, seen: await readSeen(options.seen), today: today() })
        : await verifyPublication(place, trust, undefined, options.history);
      const checks = report.checks.map(({ id, ok, sentence }) => `${ok ? '✓' : '✗'} ${id}: ${sentence}`);
      const { exit, sentence } = VERDICTS[report.verified ? report.tiedTo : 'nothing'];
      return { value: report, text: lines(checks, sentence), exit };
    });

const today = (): string => new Date().toISOString().slice(0, 10);

/** A head that was kept. Throws USAGE. */
async function readSeen(path: string | undefined): Promise<Buffer | null> {
  if (path === undefined) return null;
  const { bytes } = await readBoundedFile(path, MOST_HEAD_BYTES);
  if (!bytes) throw wrongUse('The head that you kept cannot be read.');
  return bytes;
}

/** What it comes to, for people and for scripts: whose it is, or nothing that holds. */
const VERDICTS: Readonly<Record<VerificationReport['tiedTo'] | 'nothing', { exit: number; sentence: string }>> = {
  nothing: { exit: EXIT.verificationFailed, sentence: 'NOT VERIFIED: do not use this data.' },
  organisation: { exit: EXIT.done, sentence: 'Verified: every check passed.' },
  'demo keys': {
    exit: EXIT.done,
    sentence: 'Verified with demo keys: every check passed, and the keys are those of a trial.',
  },
  nobody: {
    exit: EXIT.waiting,
    sentence:
      'Consistent in itself, tied to nobody: a stranger could have made all of it. Name the trust file of the publisher with --trust.',
  },
};
