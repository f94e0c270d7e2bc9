import { sep } from 'node:path';

/**
 * A name for each absolute path: its file name, and of files with one name as many of their folders as tell them apart.
 * Where the files lie on the machine is nobody's business who reads the audit. The paths are all different.
 */
export const tableNames = (paths: readonly string[]): string[] => {
  const parts = paths.map((path) => path.split(sep));
  return parts.map((own) => {
    const others = parts.filter((other) => other !== own);
    let length = 1;
    while (others.some((other) => tail(other, length) === tail(own, length))) length += 1;
    return tail(own, length);
  });
};

const tail = (parts: readonly string[], length: number): string => parts.slice(-length).join('/');
