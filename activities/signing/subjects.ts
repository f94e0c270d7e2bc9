import { isPlainLine } from '../../core/text/plain-text.ts';

/**
 * Names of people. Two spellings that look alike are one person: names are compared after Unicode normalisation (NFC)
 * and case folding. Folding goes by way of capitals, so that ß and ss, or the two small sigmas, are one.
 */
export const subjectKey = (subject: string): string =>
  subject.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Are these names of one person? */
export const isSameSubject = (a: string, b: string): boolean => subjectKey(a) === subjectKey(b);

/** Can a name be taken? It holds nothing that is not shown, and does not begin or end with space. */
export const isSubject = (text: string): boolean => text.length > 0 && text.trim() === text && isPlainLine(text);
