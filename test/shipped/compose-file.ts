import { parse } from 'yaml';
import { readProjectFile } from '../tidy/source-files.ts';

/** What is read of a service; there is more. */
export type Service = {
  image: string;
  build?: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  profiles?: string[];
  restart?: string;
  network_mode?: string;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
};

/** The compose file of the repository, with its merge keys resolved. */
export const readCompose = (): { services: Record<string, Service>; volumes: Record<string, unknown> } =>
  parse(readProjectFile('docker-compose.yml'), { merge: true });

/** The services in an order in which each comes after those that it waits for; those of a profile are left out. */
export function startingOrder(services: Readonly<Record<string, Service>>): string[] {
  const order: string[] = [];
  const visit = (name: string, above: readonly string[]): void => {
    if (above.includes(name)) throw new Error(`${name} waits for itself`);
    for (const before of Object.keys(services[name]!.depends_on ?? {})) visit(before, [...above, name]);
    if (!order.includes(name)) order.push(name);
  };
  for (const [name, { profiles }] of Object.entries(services)) if (!profiles) visit(name, []);
  return order;
}
