import { Command } from 'commander';
import { MOST_HEAD_BYTES, seriesAt } from '../../client/verify/place.ts';
import type { VerificationReport } from '../../client/verify/report.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import { EXIT, OpalineError } from '../../contracts/errors.ts';
import { readBoundedFile } from '../../services/files/bounded-file.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { define } from '../command.ts';
import { type OutputOptions, print } from '../terminal.ts';

const EXAMPLE = 'opaline verify .opaline/stores/publication/demo-taps/2026-03-02/v1 --trust .opaline/trust.json';

type Options = OutputOptions & { trust?: string; seen?: string };

/** `called`: its name; a package has it alone. */
export function verifyCommand(called = 'verify', example = EXAMPLE): Command {
  const command = new Command(called)
    .description(
      'check a publication: digests, signatures, certificate, threshold, order and sums; or a series: its signed head and its pages',
    )
    .argument('<place>', 'a folder, which is read offline, or its address (https)')
    .option('--trust <file>', 'the trust file of whoever publishes: without it nobody can say whose keys these are')
    .option('--seen <file>', 'a head.json of the series that you kept: what was in it has to be there still');
  return define(command, example, async ([place], options: Options) => {
    const trust = options.trust === undefined ? null : await readTrustFile(options.trust);
    const series = await seriesAt(place!);
    const report = series
      ? await verifySeries(series, { trust, seen: await readSeen(options.seen), today: today() })
      : await verifyPublication(place!, trust);
    const lines = report.checks.map(({ id, ok, sentence }) => `${ok ? '✓' : '✗'} ${id}: ${sentence}`);
    const { sentence, exit } = verdictOf(report);
    process.exitCode = exit;
    print(options, report, [...lines, sentence].join('\n'));
  });
}

const today = (): string => new Date().toISOString().slice(0, 10);

/** A head that was kept. Throws USAGE. */
async function readSeen(path: string | undefined): Promise<Buffer | null> {
  if (path === undefined) return null;
  const { bytes } = await readBoundedFile(path, MOST_HEAD_BYTES);
  if (!bytes) throw new OpalineError('USAGE', 'The head that you kept cannot be read.');
  return bytes;
}

/** What it comes to, for people and for scripts. */
function verdictOf({ verified, tiedTo }: VerificationReport): { sentence: string; exit: number } {
  if (!verified) return { sentence: 'NOT VERIFIED: do not use this data.', exit: EXIT.verificationFailed };
  switch (tiedTo) {
    case 'organisation':
      return { sentence: 'Verified: every check passed.', exit: EXIT.done };
    case 'demo keys':
      return {
        sentence: 'Verified with demo keys: every check passed, and the keys are those of a trial.',
        exit: EXIT.done,
      };
    case 'nobody':
      return {
        sentence:
          'Consistent in itself, tied to nobody: a stranger could have made all of it. Name the trust file of the publisher with --trust.',
        exit: EXIT.waiting,
      };
  }
}
