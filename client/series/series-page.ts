import { ALLOWED_FUNCTIONS } from '../../core/select/functions.ts';
import type { FieldNote } from '../../kinds/client-kind.ts';

/** A page with another text between two marks. Throws RangeError without the marks. */
const between = (page: string, mark: string, end: string, text: string): string => {
  const [start, stop] = [page.indexOf(mark), page.indexOf(end, page.indexOf(mark))];
  if (start < 0 || stop < 0) throw new RangeError(`the page has no ${mark}`);
  return `${page.slice(0, start)}${mark}\n${text}\n${page.slice(stop)}`;
};

/** The page of series files with its tables, and its list of functions, as the code has them. Throws RangeError. */
export function withFields(page: string, notes: readonly FieldNote[]): string {
  const sections = [...new Set(notes.map(({ section }) => section))];
  const whole = sections.reduce((text, section) => {
    const rows = notes
      .filter((note) => note.section === section)
      .map(({ field, usual, meaning }) => `| \`${field}\` | ${usual} | ${meaning} |`);
    const table = ['| field | default | meaning |', '|---|---|---|', ...rows].join('\n');
    return between(text, `<!-- fields: ${section} -->`, '<!-- /fields -->', table);
  }, page);
  return between(whole, '<!-- functions -->', '<!-- /functions -->', functionList());
}

/** Functions with a name in letters; the page describes signs in words. */
const functionList = (): string =>
  [...ALLOWED_FUNCTIONS.keys()]
    .filter((name) => /^\w+$/.test(name))
    .sort()
    .map((name) => `\`${name}\``)
    .join(' ');
