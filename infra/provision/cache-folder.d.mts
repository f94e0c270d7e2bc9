export function cacheFolder(environment?: Record<string, string | undefined>): string;
