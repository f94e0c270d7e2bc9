/** What a tool is: the path of one program, or the paths of several. */
type Tools = {
  'temporal-cli': string;
  'versitygw 1.8.0': string;
  'versitygw 1.7.0': string;
  chromium: string;
  prometheus: { prometheus: string; promtool: string };
  'temporal-server 1.29.1': { sql: string; server: string };
  'temporal-server 1.32.1': { sql: string; server: string };
  r: string;
  postgres: { initdb: string; pg_dump: string; psql: string; postgres: string };
  helm: string;
  schemas: { 'swagger.json': string; 'compose-spec.json': string };
};
export function provideTool<Name extends keyof Tools>(name: Name): Promise<Tools[Name]>;
