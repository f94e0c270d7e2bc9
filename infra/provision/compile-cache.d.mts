/** Folder in which Node keeps what it has compiled: NODE_COMPILE_CACHE. */
export const COMPILED: string;
