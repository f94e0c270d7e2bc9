import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SEARCH_ATTRIBUTES } from '../../contracts/names.ts';
import { readProjectFile } from './source-files.ts';

type Compose = { services: Record<string, { image: string; command: string[]; ports: string[] }> };

const compose: Compose = parse(readProjectFile('docker-compose.yml'));

test('docker-compose.yml pins its images and listens on loopback only', () => {
  for (const { image, ports } of Object.values(compose.services)) {
    expect(image).toMatch(/:v?\d+\.\d+\.\d+$/);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});

test('its Temporal knows the search attributes of Opaline, and its S3 server is the one that is tested', () => {
  for (const name of Object.values(SEARCH_ATTRIBUTES))
    expect(compose.services.temporal?.command).toContain(`--search-attribute=${name}=Keyword`);
  expect(compose.services.s3?.image).toMatch(/:v1\.8\.0$/);
});
