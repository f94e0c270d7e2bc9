import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { edit, type LookAlike, sealAll } from './forgery.fixture.ts';

/** By approvers and a publisher who sign words that nothing published gives. */
export const WORDED: LookAlike[] = [
  [
    'another sentence in the statement',
    ['texts'],
    async (f) => {
      await edit(f, 'statement.md', (text) =>
        text.replace('adds up', 'adds nothing').replace('of all taps', 'of most'),
      );
      await sealAll(f);
    },
  ],
  [
    'another verdict on the page of the audit',
    ['texts'],
    async (f) => {
      await edit(f, 'audit.html', (text) => text.replace('0 broken', '1 broken'));
      await sealAll(f);
    },
  ],
  [
    'another finding in the audit',
    ['history'],
    async (f) => {
      await edit(f, 'audit.json', (text) => text.replace('Not enough history', 'All as usual'));
      await sealAll(f);
    },
  ],
  [
    'another title in the manifest alone',
    ['texts'],
    async (f) => {
      await sealAll(f, ({ texts }) => ({
        texts: { ...texts, publication: { ...texts.publication, title: 'Another title' } },
      }));
    },
  ],
  [
    'smaller caps than those that it was charged under',
    ['attestation'],
    async (f) => {
      const smaller = (text: string) => text.replace(/(the same people: ε = )\d+/, '$11');
      await edit(f, 'statement.md', smaller);
      await sealAll(f, ({ texts }) => ({ texts: { ...texts, versions: texts.versions.map(smaller) } }));
    },
  ],
  [
    'a page that no release has',
    ['texts'],
    async (f) => {
      await writeFile(join(f, 'notes.md'), 'The exact count of Manly was 87.\n');
      await sealAll(f);
    },
  ],
];
