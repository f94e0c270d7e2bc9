import type { ReportIssue } from '../../../contracts/series-issue.ts';
import { compare, ZERO } from '../../../core/rational/rational.ts';
import { patternNames } from '../../../core/source-pattern/pattern.ts';
import { checkPatterns, readAmounts, requireRoom } from '../../file-rules.ts';
import { RIDE_MECHANISMS } from '../ride-mechanisms.ts';
import { EVENT_COLUMNS, type OccupancyFile, vehicleModels } from '../series.ts';

/**
 * Rules of a series file of occupancy that look at more than one field. Each runs on the parts of the file that are
 * well-formed, so that one mistake does not hide the others.
 */
type Rule = (file: Partial<OccupancyFile>, report: ReportIssue) => void;

const sourceRules: Rule = ({ source, parts, privacy }, report) => {
  if (parts && new Set(parts).size < parts.length) report(['parts'], 'A part is named twice; take one out.');
  if (!source) return;
  checkPatterns(source, report);
  if (!patternNames(source.pattern).date)
    report(['source', 'pattern'], 'Events say no day; the pattern must hold {date}, the day of service.');
  const { passengers, boardings, alightings } = source.columns;
  const doors = boardings !== undefined && alightings !== undefined;
  const one = passengers === undefined ? doors : boardings === undefined && alightings === undefined;
  if (!one) report(['source', 'columns'], 'Name either passengers, or boardings and alightings.');
  if (one && !doors && privacy && RIDE_MECHANISMS[privacy.mechanism].takesDoors)
    report(
      ['privacy', 'mechanism'],
      `A ${privacy.mechanism} takes boardings and alightings; with passengers aboard take each-stop.`,
    );
  const { header } = source.csv;
  for (const name of EVENT_COLUMNS) {
    const column = source.columns[name];
    if (column !== undefined && header && !header.includes(column))
      report(['source', 'columns', name], 'The header has no such column; check its spelling.');
  }
};

const vehicleRules: Rule = ({ vehicles }, report) => {
  if (!vehicles) return;
  for (const [name, { categories, minimumCounts, maximumCount }] of vehicleModels({ vehicles })) {
    const at = ['vehicles', name, 'minimumCounts'];
    if (categories.length < 2) report(at, 'There must be two or more statuses.');
    if (minimumCounts[0] !== 0) report(at, 'One status must begin at 0.');
    if (new Set(minimumCounts).size < minimumCounts.length) report(at, 'Two statuses begin at the same count.');
    if (maximumCount < (minimumCounts.at(-1) ?? 0))
      report(['vehicles', name, 'maximumCount'], 'It must be at least the count at which the last status begins.');
  }
};

const privacyRules: Rule = ({ privacy }, report) => {
  if (!privacy) return;
  const amounts = readAmounts(privacy, report);
  if (!amounts) return;
  const { mechanism } = privacy;
  if (!RIDE_MECHANISMS[mechanism].hasDelta && compare(amounts.delta, ZERO) > 0)
    report(['privacy', 'delta'], `A ${mechanism} has δ = 0; write delta: 0.`);
  requireRoom(privacy, amounts, report);
};

export const OCCUPANCY_RULES: readonly Rule[] = [sourceRules, vehicleRules, privacyRules];
