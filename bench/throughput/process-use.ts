import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/**
 * Processor time so far, in ms, and resident memory now, in MiB, of a process and of those that compute for it; zeros
 * where there is no /proc.
 */
export function processUse(pid: number | undefined) {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  const uses = [String(pid), ...children].map((one) => {
    const fields = textOf(`/proc/${one}/stat`).split(') ')[1]?.split(' ') ?? [];
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${one}/status`));
    return { ticks: Number(fields[11] ?? 0) + Number(fields[12] ?? 0), kib: Number(resident?.[1] ?? 0) };
  });
  return {
    cpuMs: uses.reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0),
    residentMiB: uses.reduce((sum, { kib }) => sum + kib / 1024, 0),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
