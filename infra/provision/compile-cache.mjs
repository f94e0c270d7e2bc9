import { fileURLToPath } from 'node:url';

/** Folder in which Node keeps what it has compiled, so that the next process need not: NODE_COMPILE_CACHE. */
export const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/opaline/compiled', import.meta.url));
