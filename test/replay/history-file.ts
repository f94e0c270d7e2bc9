import { tmpdir } from 'node:os';

const STICKY_QUEUE = /^\d+@.*$/;

/** A history, as JSON, without the names and folders of the machine that recorded it; the code replays it as before. */
export const withoutMachine = (history: unknown): unknown => cleaned('', history);

function cleaned(key: string, value: unknown): unknown {
  if (typeof value === 'string') return cleanedText(key, value);
  if (Array.isArray(value)) return value.map((one) => cleaned('', one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(name, one)]));
}

function cleanedText(key: string, text: string): string {
  if (key === 'identity') return 'worker';
  if (key === 'stackTrace') return '';
  if (key === 'data') return Buffer.from(withoutFolder(decoded(text))).toString('base64');
  return STICKY_QUEUE.test(text) ? 'sticky' : withoutFolder(text);
}

/** Each test file has a temporary folder of its own: where it is, is asked when it is looked for. */
const withoutFolder = (text: string): string =>
  text.replaceAll(new RegExp(`${tmpdir()}/opaline-[A-Za-z0-9]+`, 'g'), '/stack');

/** The text of a payload, which is JSON. */
export const decoded = (data: string): string => Buffer.from(data, 'base64').toString('utf8');
