import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fieldName, type SeriesIssue } from '../../../contracts/series-issue.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import { newFolder } from '../../../test/support/new-folder.ts';
import { tapsFileSchema } from '../series.ts';
import { auditRules, readTimetable } from './audit-rules.ts';

const folder = newFolder();

const auditSection = (value: unknown) => tapsFileSchema.shape.audit.parse(value);
const bins = tapsFileSchema.shape.bins.parse({ minutes: 15, locations: {} });
const service = { mode: 'ferry', from: 'Manly', to: 'Quay', minutes: 30 };

function mistakes(equalTruth: (typeof service)[]): string[] {
  const found: string[] = [];
  const parts = { audit: auditSection({ equalTruth }), modes: ['ferry'], bins };
  auditRules(parts, (path, sentence) => found.push(`${fieldName(path)}: ${sentence}`));
  return found;
}

describe('the audit section of a series file', () => {
  it('may be missing, and takes services on the grid of its modes', () => {
    expect(auditSection(undefined)).toBeUndefined();
    expect(mistakes([service])).toEqual([]);
  });

  it('names a mode that is not there, and minutes between two bins', () => {
    expect(mistakes([service, { ...service, mode: 'bus' }])).toEqual([
      expect.stringMatching(/^audit\.equalTruth.*mode: .*no such mode/),
    ]);
    expect(mistakes([{ ...service, minutes: 20 }])).toEqual([expect.stringContaining('a multiple of the time bin')]);
  });

  it('names a series that is its own sibling, and a sibling that is named twice', () => {
    const found: string[] = [];
    const parts = { series: 'demo', audit: auditSection({ siblings: ['other', 'demo', 'other'] }) };
    auditRules(parts, (path, sentence) => found.push(`${fieldName(path)}: ${sentence}`));
    expect(found).toEqual([
      expect.stringMatching(/^audit\.siblings.*1.*not its own sibling/),
      expect.stringMatching(/^audit\.siblings.*2.*named twice/),
    ]);
  });

  const read = async (text: string | null) => {
    const [reported, issues]: [string[], SeriesIssue[]] = [[], []];
    if (text !== null) writeFileSync(join(folder, 'timetable.csv'), text);
    const audit = auditSection({ timetable: text === null ? 'nowhere.csv' : 'timetable.csv' });
    const report = (_: unknown, sentence: string) => void reported.push(sentence);
    const loaded = await readTimetable(
      { path: join(folder, 'series.yaml'), report, inLists: issues, isSound: () => true },
      audit,
    );
    return { loaded, reported, lines: issues.map(({ file, line }) => `${file}:${line}`) };
  };

  it('reads the timetable by its digest, and says where it is wrong', async () => {
    const good = 'mode,location,tap,time,services,stops\nferry,Manly,on,07:15,1,1\n';
    expect(await read(good)).toMatchObject({ loaded: { digest: sha256(good) }, reported: [], lines: [] });
    expect(await read(`${good}ferry,Manly,on\n`)).toMatchObject({ reported: [], lines: ['timetable.csv:3'] });
    expect(await read(null)).toMatchObject({ loaded: null, reported: [expect.stringContaining('cannot be read')] });
  });
});
