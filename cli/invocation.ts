import { fileURLToPath } from 'node:url';

/**
 * How this command line was started, as people type it. In a checkout, which runs the sources: through npm, or from
 * another folder by its file. Where it is installed: through npx, if that was asked, or by its name.
 */
function invocation(): string {
  const { npm_lifecycle_event: script, npm_command: command } = process.env;
  if (!import.meta.url.endsWith('.ts')) return command === 'exec' ? 'npx opaline' : 'opaline';
  const root = fileURLToPath(new URL('..', import.meta.url));
  return script !== undefined || `${process.cwd()}/` === root ? 'npm run opaline --' : `node ${root}cli/main.ts`;
}

/** A command within a text: the name in lower case, a space, and a word; no part of a path or of another name. */
const COMMAND = /(?<![\w./@-])opaline (?=[a-z-])/g;

/**
 * A text in which every command can be pasted as it stands. Texts name a command as `opaline show …` wherever they are
 * made; only here it is known how this one was started.
 */
export const pasteable = (text: string, started = invocation()): string => text.replaceAll(COMMAND, `${started} `);
