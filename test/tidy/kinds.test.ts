import { describe, expect, test } from 'vitest';
import { type Import, importsOf, productionFiles, readProjectFile } from './source-files.ts';

/** Rooms that serve every kind, and the files beside the kinds that all of them share. */
const SHARED =
  /^(?:contracts|core|services|custodian|activities|workflows|worker|stack|client|cli)\/|^kinds\/[a-z-]+\.ts$/;

/** The tables in which a kind is looked up: they name the kinds, and nothing else does. */
const TABLES = /^kinds\/(?:client-kinds|private-kinds|public-kinds|kind-commands|verification)\.ts$/;

/** What is of one kind: its folder. */
const OF_ONE_KIND = /^kinds\/[a-z-]+\//;

const knowsKind = ({ from, to }: Import): boolean => SHARED.test(from) && !TABLES.test(from) && OF_ONE_KIND.test(to);

/** Imports that are still there, with why. */
const ALLOWED_IMPORTS: Readonly<Record<string, string>> = {
  'cli/project-questions.ts imports kinds/taps/series.ts': 'opaline init asks for the columns of a series of taps',
  'cli/project-questions.ts imports kinds/taps/client/designs.ts': 'opaline init proposes a design of taps',
  'client/project/project-design.ts imports kinds/taps/client/designs.ts': 'opaline init proposes a design of taps',
  'client/project/project-design.ts imports kinds/taps/client/domain-size.ts': 'opaline init proposes a design of taps',
  'client/project/project-text.ts imports kinds/taps/series.ts': 'opaline init writes a series of taps',
  'client/project/location-list.ts imports kinds/taps/location-dictionary.ts':
    'opaline init makes the list of a series of taps',
};

/** Words that mean something for taps alone. `{mode}` of a pattern and modes of files of a disk are other things. */
const WORDS =
  /\b(?:taps?|TAPS?|modes?|MODES?|locations|time-location)\b|[a-z](?:Taps?|Modes?|Locations)\b|\b(?:taps?|modes?)[A-Z]/;
const OTHER_THINGS = /\b(?:demo|opal|my)-taps\b|\{mode\}|\bmode: 0o[0-7]{3}\b/g;

const wordsOfTaps = (text: string): boolean => WORDS.test(text.replaceAll(OTHER_THINGS, ''));

/** Rooms whose files say nothing of taps. */
const SPEECHLESS = SHARED;

const INIT = 'opaline init makes a project of taps';
const CERTIFICATE = 'the certificate of counts, which has a checker of its own';
const PATTERN = 'the placeholder {mode} of patterns of source objects';
const PAGE = 'the page of an audit of counts, and of the tables of anybody';
const REJECTS = 'reports on a delivery count its taps';
const RISK = 'the risk report weighs what a series of taps would publish';

/** Files that still do, with why. A file that no longer does has to leave the list. */
const ALLOWED_WORDS: Readonly<Record<string, string>> = {
  'cli/commands/audit-command.ts': 'its example names files of taps',
  'cli/commands/init-command.ts': INIT,
  'cli/project-questions.ts': INIT,
  'client/audit/inputs.ts': 'it reads tables of counts of anybody',
  'client/project/location-list.ts': INIT,
  'client/project/make-project.ts': 'modes of files',
  'client/project/project-answers.ts': INIT,
  'client/project/project-design.ts': INIT,
  'client/project/project-text.ts': INIT,
  'client/project/sample-pattern.ts': 'modes of files',
  'contracts/certificate-statements.ts': CERTIFICATE,
  'contracts/certificate.ts': CERTIFICATE,
  'contracts/series.ts': 'the kind that is meant when none is named',
  'core/accounting/discrete-laplace-loss.ts': 'a unit of counts moves them by so many taps',
  'core/source-pattern/expected-objects.ts': PATTERN,
  'core/source-pattern/pattern.ts': PATTERN,
  'custodian/preview/input-report.ts': REJECTS,
  'custodian/preview/input-warnings.ts': REJECTS,
  'custodian/preview/reject-words.ts': 'reasons for which rows of taps are rejected',
  'custodian/preview/tallies.ts': REJECTS,
  'custodian/risk/advice-page.ts': RISK,
  'custodian/risk/advice.ts': RISK,
  'custodian/risk/measures/published-share.ts': RISK,
  'custodian/risk/measures/series-snippet.ts': RISK,
  'custodian/source/clean-lines.ts': 'modes of files',
  'custodian/source/delivery-notes.ts': PATTERN,
  'custodian/source/listing.ts': PATTERN,
  'custodian/sql/source-relation.ts': 'where the columns of Parquet files are checked',
  'services/audit-page/audit-page.ts': PAGE,
  'services/audit-page/figures/differences-figure.ts': PAGE,
  'services/audit-page/figures/people-figure.ts': PAGE,
  'services/audit-page/figures/scale-figure.ts': PAGE,
  'services/audit-page/page-subject.ts': PAGE,
  'services/files/new-file.ts': 'modes of files',
  'services/publication/verification-check.ts': 'what a kind calls its parts is a word of its own',
  'services/stores/series-objects.ts': 'the public lists of a series are stored for every kind',
};

/** Words that mean something for occupancy, or for synthetic data, alone. */
const WORDS_OF_OTHERS =
  /\b(?:rides?|vehicles?|departures?|passengers?|occupancy|timetables?|mwem|marginals?|workloads?)\b/i;

/** Contracts that speak of one kind all the same, with why. */
const KINDS_IN_CONTRACTS: Readonly<Record<string, string>> = {
  'contracts/certificate-statements.ts': CERTIFICATE,
  'contracts/certificate.ts': CERTIFICATE,
  'contracts/errors.ts': 'codes of every kind stand in one table',
  'contracts/formats/policy.ts': 'a policy may name the unit of any kind, and no other word',
  'contracts/series.ts': 'the kind that is meant when none is named',
};

const sources = productionFiles();
const imports = sources.flatMap((file) => importsOf(file, readProjectFile(file)));

/** The files, and everything that they import by any way, types included; packages by name. */
function reachedFrom(files: readonly string[], all: readonly Import[]): Set<string> {
  const reached = new Set(files);
  for (const file of reached) for (const { from, to } of all) if (from === file) reached.add(to);
  return reached;
}

describe('what is special to a kind lies with it', () => {
  test('no shared room imports it, but the tables in which kinds are looked up', () => {
    const found = imports.filter(knowsKind).map(({ from, to }) => `${from} imports ${to}`);
    expect(found.sort()).toEqual(Object.keys(ALLOWED_IMPORTS).sort());
    const [broken] = importsOf('client/a.ts', "import { tapsSeries } from '../kinds/taps/series.ts';");
    expect(knowsKind(broken!)).toBe(true);
  });

  test('core reaches no kind, and none of the counts that some kinds share, by any way', () => {
    const fromCore = sources.filter((file) => file.startsWith('core/'));
    const reached = reachedFrom(fromCore, imports);
    expect([...reached].filter((file) => !/^(?:core|contracts)\//.test(file) && file.includes('/'))).toEqual([]);
    const [first] = fromCore;
    const byWay = ["import { a } from '../../services/a.ts';", "import type { b } from '../counts/b.ts';"];
    const broken = [...importsOf(first!, byWay[0]!), ...importsOf('services/a.ts', byWay[1]!)];
    expect(reachedFrom([first!], broken).has('counts/b.ts')).toBe(true);
  });

  test('the checker of certificates reaches contracts alone: nothing that makes, draws or audits one', () => {
    const checker = sources.filter((file) => file.startsWith('counts/certificate-check/'));
    const outside = (all: readonly Import[]) =>
      [...reachedFrom(checker, all)].filter((file) => !/^(?:counts\/certificate-check|contracts)\//.test(file));
    expect(outside(imports)).toEqual(['zod']);
    const broken = importsOf('contracts/certificate.ts', "import { MECHANISMS } from '../counts/mechanisms/m.ts';");
    expect(outside([...imports, ...broken])).toEqual(['zod', 'counts/mechanisms/m.ts']);
  });

  test('contracts know the words of no kind', () => {
    const knowsWords = (text: string): boolean => wordsOfTaps(text) || WORDS_OF_OTHERS.test(text);
    const knowing = sources.filter((file) => file.startsWith('contracts/') && knowsWords(readProjectFile(file)));
    expect(knowing).toEqual(Object.keys(KINDS_IN_CONTRACTS).sort());
    for (const broken of ["const TABLES = ['time-location'];", "const UNITS = ['ride'];", "mechanism: 'mwem'"])
      expect(knowsWords(readProjectFile('contracts/names.ts') + broken)).toBe(true);
  });

  test('and none speaks of taps, modes or lists of locations', () => {
    const speaking = sources.filter(
      (file) => SPEECHLESS.test(file) && !TABLES.test(file) && wordsOfTaps(readProjectFile(file)),
    );
    expect(speaking).toEqual(Object.keys(ALLOWED_WORDS).sort());
    for (const broken of ['const modes = series.modes;', 'maxTaps: 3', '// the taps of a card', 'bins.locations'])
      expect(wordsOfTaps(broken)).toBe(true);
    for (const other of ['opaline run demo-taps', 'trips/{mode}/{date}.csv', '{ mode: 0o600 }'])
      expect(wordsOfTaps(other)).toBe(false);
  });
});
