export function downloadArchive(url: string, sha256: string, folder: string): Promise<void>;
