import type { Mutant } from './mutant.ts';

/** A publication says what is not so, or does not say what it has to. */
export const PUBLICATION_MUTANTS: Mutant[] = [
  {
    id: 'another-table-carried-over',
    bug: 'A correction that finds another table in the place of one that it carries over goes on with its own.',
    clause: 'C13',
    edits: [{ in: 'carry', from: 'if (copy.equals(bytes)) return;', to: 'if (copy.length > 0) return;' }],
    killer: { file: 'carry.test.ts', test: '@contract C13: refuses another table' },
  },
  {
    id: 'redrawn-taken-for-carried-over',
    bug: 'What a correction drew anew counts as one draw with the earlier version, so that the audit sees no second one.',
    clause: 'C13',
    edits: [
      {
        in: 'originOf',
        from: '!origin || origin.of >= version || origin.redrawn.includes(partition)',
        to: '!origin || origin.of >= version',
      },
    ],
    killer: { file: 'same-draws.test.ts', test: 'C13: what a correction carries over is one draw' },
  },
  {
    id: 'any-sentence-believed',
    bug: 'A tombstone is believed with a public sentence that nobody who decided has signed.',
    clause: 'C16',
    edits: [
      {
        in: 'ensureTombstone',
        from: 'canonicalJson({ reasons, sentences })',
        to: 'canonicalJson(retractionWords(approvals))',
      },
    ],
    killer: { file: 'verify-publication.test.ts', test: 'with a sentence that nobody signed' },
  },
  {
    id: 'moments-not-compared',
    bug: 'A bin can begin or end at another moment than its label says, so that readers join other times.',
    clause: 'C15',
    edits: [{ in: 'areMoments', from: 'column.texts[code] !== due.texts[due.codes[at]!]', to: 'code === -1' }],
    killer: { file: 'activities/audit.test.ts', test: '["sums","metadata"] (time-location.csv)' },
  },
  {
    id: 'parquet-not-compared',
    bug: 'A table whose CSV and Parquet have different rows goes through, as each of them is well formed.',
    clause: 'C18',
    edits: [
      {
        in: 'readTableFiles',
        from: 'return text && rows && !sameTables(text, rows);',
        to: 'return text && rows && text.count.length !== rows.count.length;',
      },
    ],
    killer: {
      file: 'verify-publication.test.ts',
      test: 'look-alike: a Parquet file with counts in another place',
    },
  },
  {
    id: 'pointer-not-checked',
    bug: 'latest.json may name a release that another one took the place of.',
    clause: 'C16',
    edits: [
      {
        in: 'checkLatest',
        from: '!own || !bytes?.equals(jsonBytes({ ...due, generation: own.generation }))',
        to: '!own',
      },
    ],
    killer: { file: 'verify-series.test.ts', test: 'C16: a pointer to an earlier release' },
  },
  {
    id: 'threshold-not-told',
    bug: 'The threshold is a parameter of the method and stands nowhere in privacy.json (the release of 2017 kept it).',
    clause: 'C17',
    edits: [
      {
        in: 'privacyFile',
        from: 'readNumbers.strip().parse(certificate)',
        to: '{ ...readNumbers.strip().parse(certificate), threshold: null }',
      },
    ],
    killer: { file: 'derive.test.ts', test: 'C17: privacy.json says what readers need' },
  },
  {
    id: 'interval-one-too-short',
    bug: 'Readers are told an interval that misses more often than it says.',
    clause: 'C19',
    edits: [
      {
        in: 'halfWidthOf',
        from: 'smallestTail(missProbability(confidence), scale) - 1',
        to: 'smallestTail(missProbability(confidence), scale) - 2',
      },
    ],
    killer: { file: 'count-interval.test.ts', test: 'C19: a cell is published and its interval misses' },
  },
  {
    id: 'notes-mark-up-the-statement',
    bug: 'A note or a title can add a section, a link or HTML to what people read before they sign.',
    clause: 'C16',
    edits: [{ in: 'markdownText', from: "'\\\\$&'", to: "'$&'" }],
    killer: { file: 'markdown.test.ts', test: 'text of others marks nothing in Markdown' },
  },
  {
    id: 'slow-server-waited-for',
    bug: 'A server that sends a byte now and then holds a reader for ever.',
    clause: 'C16',
    edits: [{ in: 'fetchFile', from: 'AbortSignal.any([whole, idle.signal])', to: 'idle.signal' }],
    killer: {
      file: 'web-files.test.ts',
      test: 'a server that sends a byte now and then is not waited for',
    },
  },
  {
    id: 'lines-of-lists-without-end',
    bug: 'A list of places with one line of thirty megabytes is read until the memory is full.',
    clause: 'C4',
    edits: [{ in: 'listLines', from: 'line.length > LONGEST_LINE', to: 'line.length < 0' }],
    killer: {
      file: 'location-dictionary.test.ts',
      test: 'a list that would fill the memory is refused before it is read: one line of quotes',
    },
  },
  {
    id: 'footer-of-few-rows-believed',
    bug: 'A Parquet file of half a megabyte that says it has few rows makes room for as many as its pages claim.',
    clause: 'C16',
    edits: [
      {
        in: 'putValues',
        from: 'inPage <= most',
        to: 'inPage >= 0',
      },
    ],
    killer: {
      file: 'table-parquet.test.ts',
      test: 'a file of more rows than its CSV is not read, however few bytes it has',
    },
  },
  {
    id: 'run-without-end',
    bug: 'A Parquet file of a few bytes that repeats a value two thousand million times holds a reader for hours.',
    clause: 'C16',
    edits: [{ in: 'readRuns', from: '!isPacked && end > codes.length', to: 'width > 24' }],
    killer: {
      file: 'table-parquet.test.ts',
      test: 'a run of equal values that is longer than its page is refused at once',
    },
  },
  {
    id: 'later-page-believed',
    bug: 'A page of a stranger that claims to be newer than all others stays where readers look, for ever.',
    clause: 'C16',
    edits: [
      {
        in: 'writePage',
        from: 'if (current && bytes.equals(current.bytes)) return false;',
        to: 'if (current && (bytes.equals(current.bytes) || claim(current.bytes) > claim(bytes))) return false;',
      },
    ],
    killer: {
      file: 'update-pages.test.ts',
      test: 'a writer that has seen less never writes over one that has seen more',
    },
  },
  {
    id: 'words-not-compared',
    bug: 'Words that people and the publisher have signed are believed, whatever the published data says.',
    clause: 'C15',
    edits: [{ in: 'checkTexts', from: '!files.get(name)?.equals(bytes)', to: '!files.has(name) && bytes' }],
    killer: { file: 'verify-publication.test.ts', test: 'another sentence in the statement' },
  },
];
