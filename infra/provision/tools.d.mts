export function provideTemporalCli(): Promise<string>;
export function provideVersitygw(version?: '1.8.0' | '1.7.0'): Promise<string>;
export function provideChromium(): Promise<string>;
export function providePrometheus(): Promise<{ prometheus: string; promtool: string }>;
export function provideTemporalServer(version?: string): Promise<{ sql: string; server: string }>;
export function provideRscript(): Promise<string>;
export function providePostgres(): Promise<{ initdb: string; pg_dump: string; psql: string; postgres: string }>;
export function provideHelm(): Promise<string>;
export function provideSchemas(): Promise<{ 'swagger.json': string; 'compose-spec.json': string }>;
