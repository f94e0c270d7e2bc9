export function cacheFolder(environment?: Record<string, string | undefined>): string;
export function installInCache(
  tool: string,
  version: string,
  binary: string,
  fill: (folder: string) => Promise<void>,
): Promise<string>;
