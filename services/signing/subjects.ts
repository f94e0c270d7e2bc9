import { isPlainLine } from '../../core/text/plain-text.ts';

/**
 * Names of people. Two spellings that look alike are one person: names are compared after Unicode normalisation (NFC)
 * and case folding. Folding goes by way of capitals, so that ß and ss, or the two small sigmas, are one.
 */
export const subjectKey = (subject: string): string =>
  subject.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Are these names of one person? */
export const isSameSubject = (a: string, b: string): boolean => subjectKey(a) === subjectKey(b);

/** How many people are among these. */
export const peopleAmong = (people: readonly { subject: string }[]): number =>
  new Set(people.map(({ subject }) => subjectKey(subject))).size;

/** Each Latin letter with the Cyrillic and Greek ones that look like it, small and capital. */
const LOOK_ALIKES =
  'a\u0430\u0410\u03b1\u0391 b\u0432\u0412\u044c\u0392\u03b2 c\u0441\u0421\u03f2 d\u0501\u0500 ' +
  'e\u0435\u0415\u0395\u03b5 h\u04bb\u04ba\u043d\u041d\u0397 i\u0456\u0406\u03b9\u0399 j\u0458\u0408\u03f3 ' +
  'k\u043a\u041a\u03ba\u039a l\u04cf\u04c0 m\u043c\u041c\u039c n\u043f\u03b7\u039d ' +
  'o\u043e\u041e\u03bf\u039f\u03c3 p\u0440\u0420\u03c1\u03a1 q\u051b\u051a r\u0433 s\u0455\u0405 ' +
  't\u0442\u0422\u03c4\u03a4 u\u03c5 v\u0475\u0474\u03bd w\u051d\u051c\u03c9 x\u0445\u0425\u03c7\u03a7 ' +
  'y\u0443\u0423\u04af\u04ae\u03b3\u03a5 z\u0396';

const LATIN_OF = new Map(LOOK_ALIKES.split(' ').flatMap(([latin, ...others]) => others.map((one) => [one, latin])));

/** What a name looks like: equal for names that people take for one another, such as with one Cyrillic letter in it. */
export const lookOf = (subject: string): string =>
  subjectKey(Array.from(subject.normalize('NFKC'), (letter) => LATIN_OF.get(letter) ?? letter).join(''));

/** Scripts that share shapes of letters. */
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee'];

/** Scripts that a name mixes, of those that share shapes, and its letters that are no Latin ones; empty: one script. */
export function mixtureIn(name: string): string {
  const scripts = SCRIPTS.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name));
  if (scripts.length < 2) return '';
  const odd = (name.match(/(?!\p{Script=Latin})\p{L}/gu) ?? []).map(
    (letter) => `${letter} is U+${letter.codePointAt(0)!.toString(16).padStart(4, '0').toUpperCase()}`,
  );
  return `mixes ${scripts.join(' and ')} letters: ${odd.join(', ')}`;
}

/** Can a name be taken? It holds nothing that is not shown, and does not begin or end with space. */
export const isSubject = (text: string): boolean => text.length > 0 && text.trim() === text && isPlainLine(text);
