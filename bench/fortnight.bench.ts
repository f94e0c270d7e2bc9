import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { releaseFortnight } from '../test/scale/fortnight.fixture.ts';
import { useTable } from '../test/scale/stage-watch.fixture.ts';
import { withSection } from './throughput/page-section.ts';

/**
 * A release of the size of the one of 2017 on the embedded stack, from the source to a verified publication: time and
 * memory of each stage. Run with `node bench/fortnight.bench.ts [millions of trips]`; thirty take some minutes, and
 * write their part of docs/performance.md.
 */
const WHOLE = 30;
const millions = Number(process.argv[2] ?? WHOLE);
if (!(millions > 0)) throw new TypeError('the number of millions is positive');

const { uses, blocks, published, verification } = await releaseFortnight(millions * 1e6);
const text = `${millions} million generated trips, 14 days, 4 modes, 694 places, folder stores: ${published.state}, ${
  verification.verified ? 'verified' : 'not verified'
}. Blocks of an event loop that serves Temporal above 200 ms: ${blocks.length === 0 ? 'none' : blocks.join(', ')}.\n\n${useTable(uses)}`;
console.log(text);
if (millions === WHOLE) {
  const page = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
  await writeFile(page, withSection(await readFile(page, 'utf8'), 'fortnight', text));
  console.log('Written: docs/performance.md');
}
