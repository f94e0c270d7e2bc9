import { describe, expect, test } from 'vitest';
import { type Import, importsOf, productionFiles, readProjectFile } from './source-files.ts';

/** Rooms that serve every kind, and the files beside the kinds that all of them share. */
const SHARED = /^(?:contracts|client|cli|workflows|temporal|worker|activities)\/|^kinds\/[a-z-]+\.ts$/;

/** The tables in which a kind is looked up: they name the kinds, and nothing else does. */
const TABLES = /^kinds\/(?:client-kinds|private-kinds|public-kinds|kind-commands|verification)\.ts$/;

/** What is of one kind: its folder, and the rooms of core that serve it alone. */
const OF_ONE_KIND = /^kinds\/[a-z-]+\/|^core\/(?:occupancy|synthetic|privatized-table)\//;

const knowsKind = ({ from, to }: Import): boolean => SHARED.test(from) && !TABLES.test(from) && OF_ONE_KIND.test(to);

/** Imports that are still there, with why. */
const ALLOWED_IMPORTS: Readonly<Record<string, string>> = {
  'cli/project-questions.ts imports kinds/taps/series.ts': 'opaline init asks for the columns of a series of taps',
  'client/project/location-list.ts imports kinds/taps/location-dictionary.ts':
    'opaline init makes the list of a series of taps',
};

/** Words that mean something for taps alone. `{mode}` of a pattern and modes of files of a disk are other things. */
const WORDS =
  /\b(?:taps?|TAPS?|modes?|MODES?|locations|time-location)\b|[a-z](?:Taps?|Modes?|Locations)\b|\b(?:taps?|modes?)[A-Z]/;
const OTHER_THINGS = /\b(?:demo|opal|my)-taps\b|\{mode\}|\bmode: 0o[0-7]{3}\b/g;

const wordsOfTaps = (text: string): boolean => WORDS.test(text.replaceAll(OTHER_THINGS, ''));

/** Rooms whose files say nothing of taps. */
const SPEECHLESS = /^(?:contracts|client|cli|workflows|temporal|worker)\/|^kinds\/[a-z-]+\.ts$/;

const INIT = 'opaline init makes a project of taps';
const CERTIFICATE = 'the certificate of counts, which core checks too';

/** Files that still do, with why. A file that no longer does has to leave the list. */
const ALLOWED_WORDS: Readonly<Record<string, string>> = {
  'cli/commands/audit.ts': 'its example names files of taps',
  'cli/commands/init.ts': INIT,
  'cli/project-questions.ts': INIT,
  'cli/reject-words.ts': 'reasons for which rows of taps are rejected',
  'client/audit/inputs.ts': 'it reads tables of counts of anybody',
  'client/project/location-list.ts': INIT,
  'client/project/make-project.ts': 'modes of files',
  'client/project/project-answers.ts': INIT,
  'client/project/project-text.ts': INIT,
  'contracts/certificate.ts': CERTIFICATE,
  'contracts/names.ts': 'names of files of a publication',
  'contracts/series.ts': 'the kind that is meant when none is named',
};

const sources = productionFiles();

describe('what is special to a kind lies with it', () => {
  test('no shared room imports it, but the tables in which kinds are looked up', () => {
    const imports = sources.flatMap((file) => importsOf(file, readProjectFile(file)));
    const found = imports.filter(knowsKind).map(({ from, to }) => `${from} imports ${to}`);
    expect(found.sort()).toEqual(Object.keys(ALLOWED_IMPORTS).sort());
    const [broken] = importsOf('client/a.ts', "import { tapsSeries } from '../kinds/taps/series.ts';");
    expect(knowsKind(broken!)).toBe(true);
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
