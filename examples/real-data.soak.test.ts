import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../test/support/new-folder.ts';
import { countExample } from './count-example.fixture.ts';
import { generateOpal } from './opal/generate-opal.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const OPAL = file('../../shared/data/opal');
const OYSTER = file('../../shared/data/tfl-oyster');

let root: string;
beforeEach(() => {
  root = newFolder();
});

const sum = (counts: Map<string, number>, end = ''): number =>
  [...counts].filter(([key]) => key.endsWith(end)).reduce((total, [, count]) => total + count, 0);

describe('real inputs', () => {
  test.skipIf(!existsSync(OPAL))(
    'the Opal week gives back every published count (skipped where ../shared/data is not present)',
    async () => {
      const source = join(root, 'source');
      await generateOpal(OPAL, source);
      const { faults, taps, rejects } = await countExample(root, file('opal.yaml'), source, '2016-08-08');
      expect({ faults, rejects }).toEqual({ faults: [], rejects: 0 });
      expect(sum(taps)).toBe(26_946_858);
      expect(taps.get('bus on')! + taps.get('bus off')!).toBe(11_051_324);
      expect(taps.get('train on')! + taps.get('train off')!).toBe(14_948_087);
    },
    300_000,
  );

  test.skipIf(!existsSync(OYSTER))(
    'the Oyster week gives the tap-ons and tap-offs that its description states (skipped where ../shared/data is not present)',
    async () => {
      const { faults, taps, unknown, rejects } = await countExample(root, file('oyster.yaml'), OYSTER, '2009-11-01');
      expect({ faults, rejects }).toEqual({ faults: [], rejects: 0 });
      expect(sum(taps, ' on')).toBe(2_223_483);
      expect(sum(taps, ' off')).toBe(638_114);
      expect(taps.get('bus on')).toBe(1_550_468);
      expect(sum(unknown)).toBe(0);
    },
    300_000,
  );
});
