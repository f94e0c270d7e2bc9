export const TEMPORAL_CLI_VERSION: string;
export function provideTemporalCli(): Promise<string>;
