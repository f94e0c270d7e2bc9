export function providePrometheus(): Promise<{ prometheus: string; promtool: string }>;
