import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

export type ProcessUse = { cpuMs: number; residentMiB: number };

/**
 * Processor time so far, in ms, and resident memory now, in MiB, of a process and of those that compute for it; zeros
 * where there is no /proc.
 */
export function processUse(pid: number | undefined): ProcessUse {
  const uses = [pid, ...childrenOf(pid)].map(useOf);
  const sum = (one: keyof ProcessUse) => uses.reduce((total, use) => total + use[one], 0);
  return { cpuMs: sum('cpuMs'), residentMiB: sum('residentMiB') };
}

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function useOf(pid: number | undefined): ProcessUse {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      residentMiB: Number(resident?.[1] ?? 0) / 1024,
    };
  } catch {
    return { cpuMs: 0, residentMiB: 0 };
  }
}

/** Milliseconds between two looks at the processor time. */
const LOOK_MS = 50;

/** Keeps the processor time of processes over time, so that it can be told for a span of time afterwards. */
export class CpuClock {
  readonly #looks: { at: number; cpuMs: Record<string, number> }[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pids: () => Record<string, number | undefined>) {
    this.#timer = setInterval(() => {
      const cpuMs = Object.fromEntries(Object.entries(pids()).map(([name, pid]) => [name, processUse(pid).cpuMs]));
      this.#looks.push({ at: Date.now(), cpuMs });
    }, LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Processor time of a process, in ms, that the spans took together; times in ms since 1970. */
  during(name: string, spans: readonly { from: number; to: number }[]): number {
    const until = (time: number) => this.#looks.findLast(({ at }) => at <= time)?.cpuMs[name] ?? 0;
    return spans.reduce((sum, { from, to }) => sum + until(to) - until(from), 0);
  }
}
