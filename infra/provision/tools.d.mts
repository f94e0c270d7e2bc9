export function provideTemporalCli(): Promise<string>;
export function provideVersitygw(version?: '1.8.0' | '1.7.0'): Promise<string>;
export function provideChromium(): Promise<string>;
export function providePrometheus(): Promise<{ prometheus: string; promtool: string }>;
