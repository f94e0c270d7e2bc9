import { fileURLToPath } from 'node:url';

/** Is this the compiled package, or a checkout, which runs the sources? */
export const IS_COMPILED = !import.meta.url.endsWith('.ts');

/** A module of ours by its name without an ending, relative to the one that asks (`import.meta.url`). */
export const ownModule = (name: string, from: string): URL => new URL(`${name}${IS_COMPILED ? '.js' : '.ts'}`, from);

/** A file that was made when the package was packed. */
export const packageFile = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Digest of the sources, and version, that a package was made of. */
export const BUILD_FILE = 'build.json';
/** The workflows of a package, bundled. */
export const BUNDLE_FILE = 'workflows.bundle.js';
