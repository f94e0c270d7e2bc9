import { readFileSync } from 'node:fs';
import { IS_COMPILED } from '../services/own-module.ts';

/** The version of the package. */
export function packageVersion(): string {
  const manifest = new URL(IS_COMPILED ? '../../package.json' : '../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
