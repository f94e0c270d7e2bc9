import type { Mutant } from './mutant.ts';

/** The wrong rows are counted, in the wrong places. */
export const SOURCE_MUTANTS: Mutant[] = [
  {
    id: 'twice-by-name-read',
    bug: 'Of a pattern that allows one object of a day two are read, and every row counts twice.',
    clause: 'C6',
    edits: [
      {
        in: 'listSource',
        from: 'deliveries.get(deliveryText(name))!.length > 1',
        to: 'deliveries.get(deliveryText(name))!.length > 2',
      },
    ],
    killer: { file: 'source/deliveries.test.ts', test: 'two deliveries of one day are OBJECT_TWICE' },
  },
  {
    id: 'note-of-other-bytes',
    bug: 'An object with other bytes than its delivery note says is read.',
    clause: 'C6',
    edits: [{ in: 'faultOfDelivery', from: 'note.sha256 !== sha256', to: 'note.sha256.length !== sha256.length' }],
    killer: { file: 'source/deliveries.test.ts', test: 'a note that has another digest' },
  },
  {
    id: 'clearance-of-anybody',
    bug: 'A clearance that no key of the policy has signed says which deliveries count.',
    clause: 'C11a',
    edits: [
      {
        in: 'readDeliveries',
        from: "isMeant && isSignedByPolicy(policy.policy, 'orders', entry.envelope)",
        to: 'isMeant && policy.policy.keys.length > 0',
      },
    ],
    killer: { file: 'source/deliveries.test.ts', test: 'a clearance of a stranger' },
  },
  {
    id: 'clearance-not-waited-for',
    bug: 'A window runs without the clearance that the policy asks for.',
    clause: 'C11a',
    edits: [{ in: 'listCleared', from: 'rules.clearance', to: 'rules.clearance === false' }],
    killer: { file: 'source/deliveries.test.ts', test: 'waits whatever the source holds' },
  },
  {
    id: 'charged-release-pinned-again',
    bug: 'A release that is charged pins other objects when it is ingested once more.',
    clause: 'C11a',
    edits: [{ in: 'isCharged', from: 'reserveOfRelease(entries, release) !== null', to: 'false' }],
    killer: { file: 'source/deliveries.test.ts', test: 'a release that was never charged looks again' },
  },
  {
    id: 'left-out-taps-without-clamp',
    bug: 'All taps that the bound leaves out are counted: one card moves them by any number.',
    clause: 'C2',
    edits: [
      {
        in: 'LowestRanks.constructor',
        from: 'new Lowest(choice.clamp, null)',
        to: 'new Lowest(1000 * choice.clamp, null)',
      },
    ],
    killer: { file: 'card-taps.test.ts', test: 'of each card and scope min(C, taps − k)' },
  },
  {
    id: 'rejects-of-another-window-counted',
    bug: 'Rejects of the object of the day before count again, in a release that is not charged for their day.',
    clause: 'C12',
    edits: [{ in: 'beginsOn', from: 'day === date', to: 'date !== undefined' }],
    killer: { file: 'rejected-taps.test.ts', test: 'of trips count for the day of their object' },
  },
  {
    id: 'taps-bounded-in-each-cell',
    bug: 'Of a card k taps are counted in every cell, and not in all cells of its scope together.',
    clause: 'C2',
    edits: [
      {
        in: 'countCardTaps',
        from: `bound: place === null ? null : { place, grid: gridOf(numbers) },
    cellsOfScope: { day: numbers.cellsOfDay, window: numbers.size }[scope]`,
        to: `bound: place === null ? null : { place, grid: gridOf(numbers) },
    cellsOfScope: 1`,
      },
    ],
    killer: { file: 'card-taps.test.ts', test: 'counts min(k, taps) of them in each scope' },
  },
  {
    id: 'quote-runs-into-the-next-row',
    bug: 'A stray quote in a row of a JSON document is open in the next one too, which is lost with it.',
    clause: 'C3',
    edits: [
      {
        in: 'RowMarks.mark',
        from: '[this.#comma, this.#depth, this.#quoted] = [-1, 1, false]',
        to: '[this.#comma, this.#depth] = [-1, 1]',
      },
    ],
    killer: { file: 'json-document.test.ts', test: 'depends on that text alone' },
  },
  {
    id: 'return-in-a-line-of-json',
    bug: 'A return between two values of a line of JSON is a fault of its whole object, which everybody sees.',
    clause: 'C6',
    edits: [
      {
        in: 'jsonProblem',
        from: 'for (let at = line.indexOf(RETURN); at >= 0; at = line.indexOf(RETURN, at)) line[at] = SPACE;',
        to: '',
      },
    ],
    killer: { file: 'bad-input.test.ts', test: 'a carriage return between its values' },
  },
  {
    id: 'values-kept-with-a-look',
    bug: 'Values of rows that a custodian saw on a terminal are kept with the record of the look.',
    clause: 'C17',
    edits: [
      {
        in: 'preview',
        from: "{ window, command: 'preview', shown: view.shown }",
        to: "{ window, command: 'preview', shown: view }",
      },
    ],
    killer: { file: 'shown-rows.test.ts', test: 'recorded without values' },
  },
  {
    id: 'totals-of-other-days',
    bug: 'A custodian is told totals of the days beside the window as if they were of the release.',
    clause: 'C1',
    edits: [{ in: 'objectReport', from: 'own?.has(partitionPath(one)) ?? true', to: 'own !== null' }],
    killer: { file: 'input-warnings.test.ts', test: 'of the window and not of the days beside it' },
  },
  {
    id: 'rows-without-card-counted',
    bug: 'A row without card is counted, and nothing bounds how many of them are of one person.',
    clause: 'C2',
    edits: [{ in: 'guard', from: 'card === null', to: 'card !== undefined' }],
    killer: { file: 'bounding.test.ts', test: '@contract C2: a row without a card is a reject' },
  },
  {
    id: 'careful-column-in-a-structure',
    bug: 'The careful reading of Parquet takes a column of that name inside a structure: one odd row makes all others lose a tap.',
    clause: 'C6',
    edits: [
      { in: 'lines', from: 'isColumn && element.name === name', to: 'isColumn !== null && element.name === name' },
    ],
    killer: {
      file: 'odd-schemas.test.ts',
      test: '@contract C6 @contract C20: types and annotations',
    },
  },
  {
    id: 'column-of-any-stored-type',
    bug: 'A column that DuckDB alone can read is read until one odd row asks for care: its code is public.',
    clause: 'C6',
    edits: [
      {
        in: 'isLegible',
        from: 'LEGIBLE.test($types)',
        to: 'type !== LEGIBLE.source && storage !== LEGIBLE.source',
      },
    ],
    killer: {
      file: 'odd-schemas.test.ts',
      test: '@contract C6 @contract C20: types and annotations',
    },
  },
  {
    id: 'digits-beyond-the-type-read-two-ways',
    bug: 'A decimal with more digits than its type is one value to DuckDB and none to the careful reading: one odd row changes others.',
    clause: 'C3',
    edits: [{ in: 'limit', from: "type.startsWith('DECIMAL')", to: "type.startsWith('NUMERIC')" }],
    killer: {
      file: 'canonical-rows.test.ts',
      test: 'of Parquet are the same in both readings',
    },
  },
  {
    id: 'cards-of-floating-point',
    bug: 'A card may be a floating-point number: the same card is 123 in one object and 123.0 in another, and counts 2k.',
    clause: 'C2',
    edits: [
      {
        in: 'isWhole',
        from: '/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\\(\\d+,0\\))$/',
        to: '/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\\(\\d+,\\d+\\))$/',
      },
    ],
    killer: { file: 'card-ids.test.ts', test: '@contract C2: of cards that are number' },
  },
  {
    id: 'cards-of-json-numbers',
    bug: 'Any value of a line of JSON is a card by its text: 123 and 123.0 are two.',
    clause: 'C2',
    edits: [{ in: 'makeSelect', from: 'CARD_COLUMN', to: "'tap'" }],
    killer: { file: 'bounding.test.ts', test: '@contract C2: of lines of JSON, text' },
  },
  {
    id: 'cards-of-a-select-of-any-type',
    bug: 'A select may make text of floating-point card ids: the certificate counts one card as two.',
    clause: 'C2',
    edits: [
      {
        in: 'pickColumns',
        from: "file.format === 'parquet' && cards.has(name.toLowerCase())",
        to: "file.format === 'csv' && cards.has(name.toLowerCase())",
      },
    ],
    killer: { file: 'bounding.test.ts', test: '@contract C2: one card is one in Parquet' },
  },
  {
    id: 'crowded-object-at-fault',
    bug: 'An object that found no memory beside another is at fault: what is released depends on what was read beside it.',
    clause: 'C6',
    edits: [{ in: 'faultOf', from: '(!scan.isAlone && findsNoRoom(error))', to: 'findsNoRoom(null)' }],
    killer: { file: 'object-scans.test.ts', test: 'finds no memory beside another' },
  },
  {
    id: 'failed-rows-beside-others-kept',
    bug: 'Of objects that are read beside each other, the rows of one that fails stay: cards have taps of no delivery.',
    clause: 'C6',
    edits: [{ in: 'CardRows.begin', from: 'file.cut(before);', to: '' }],
    killer: { file: 'card-rows.test.ts', test: 'what failed is forgotten' },
  },
  {
    id: 'card-in-two-lists',
    bug: 'Rows of one card that lie in two files are chosen apart: a card that was read beside another counts 2k.',
    clause: 'C2',
    edits: [
      {
        in: 'CardRows.take',
        from: 'yield this.#whole(part, size)',
        to: 'for (const rows of this.#pieces(part)) yield Uint32Array.from(rows)',
      },
    ],
    killer: { file: 'card-rows.test.ts', test: 'come once each, all of a card together' },
  },
  {
    id: 'select-over-several-rows',
    bug: 'A select may keep distinct rows, or the first ones: what becomes of a row depends on others.',
    clause: 'C3',
    edits: [
      { in: 'readSelect', from: '!isEmpty(select[member])', to: "!isEmpty(select[member]) && member !== 'modifiers'" },
    ],
    killer: { file: 'allow-list.test.ts', test: '@contract C3: refuses' },
    quick: true,
  },
  {
    id: 'unlisted-place-published',
    bug: 'A place that the public list of its mode does not have is published by the name that the source gives it.',
    clause: 'C4',
    edits: [
      {
        in: 'cellNumbers',
        from: 'byBytes([unknown, ...dictionary.values()])',
        to: 'byBytes([unknown, ...dictionary.values(), ...places])',
      },
      { in: 'cellNumbers', from: 'location ?? unknown', to: 'location ?? name ?? unknown' },
    ],
    killer: { file: 'tally.test.ts', test: '@contract C4: is judged' },
  },
  {
    id: 'trips-over-midnight-forgotten',
    bug: 'A missing object fails its own day only, and the next day is drawn without the trips that end in it.',
    clause: 'C6',
    edits: [{ in: 'mayHold', from: 'day <= addDays(date, overlaps ? 1 : 0)', to: 'day <= date' }],
    killer: {
      file: 'expected-objects.test.ts',
      test: '@contract C6: hold every partition that a trip of the object can touch',
    },
  },
  {
    id: 'copies-kept-for-ever',
    bug: 'What one host ingested and another one counted stays in the scratch of the first.',
    clause: 'C6',
    edits: [
      {
        in: 'dropStaleCopies',
        from: '(age <= COUNTED_AGE_MS || !(await hasCells(privateStore, release)))',
        to: 'COUNTED_AGE_MS > 0',
      },
    ],
    killer: {
      file: 'scratch-copy.test.ts',
      test: '@contract C6: no copy outlives the count',
    },
    quick: true,
  },
  {
    id: 'copies-of-the-killed-kept',
    bug: 'A worker that starts keeps the copies of its killed predecessor.',
    clause: 'C6',
    edits: [
      {
        in: 'dropStaleCopies',
        from: 'release && facts && facts.mtimeMs >= since && age <= COPY_AGE_MS',
        to: 'release && facts && age <= COPY_AGE_MS',
      },
    ],
    killer: {
      file: 'scratch-copy.test.ts',
      test: 'a start forgets what was copied before it',
    },
  },
];
