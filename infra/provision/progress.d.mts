export function progress(line: string): void;
export class SetupError extends Error {
  readonly code: 'SETUP_FAILED';
}
