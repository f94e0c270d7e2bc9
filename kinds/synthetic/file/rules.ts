import { type ReportIssue, runCheck } from '../../../contracts/series-issue.ts';
import { patternNames } from '../../../core/source-pattern/pattern.ts';
import { checkPatterns, readAmounts, requireRoom } from '../../file-rules.ts';
import type { SyntheticFile } from '../series.ts';
import { certificateOfSynthesis } from '../synthesis-plan.ts';

/**
 * Rules of a series file of synthetic data that look at more than one field. Each runs on the parts of the file that
 * are well-formed, so that one mistake does not hide the others.
 */
type Rule = (file: Partial<SyntheticFile>, report: ReportIssue) => void;

const isTwice = (names: readonly string[]): boolean => new Set(names).size < names.length;

const sourceRules: Rule = ({ source, parts, attributes }, report) => {
  if (parts && isTwice(parts)) report(['parts'], 'A part is named twice; take one out.');
  if (!source) return;
  checkPatterns(source, report);
  const { date, mode } = patternNames(source.pattern);
  if (!date) report(['source', 'pattern'], 'A row is of the day of its object; the pattern must hold {date}.');
  if (!mode && parts && parts.length > 1)
    report(['source', 'pattern'], 'With several parts the pattern must hold {mode}, which names the part.');
  const { header } = source.csv;
  for (const [place, { column }] of (attributes ?? []).entries())
    if (header && !header.includes(column))
      report(['attributes', place, 'column'], 'The header has no such column; check its spelling.');
};

/** Columns of the table that are no attributes. */
const OWN_COLUMNS = ['date', 'part', 'weight', 'rows'];

const attributeRules: Rule = ({ attributes }, report) => {
  if (!attributes) return;
  if (isTwice(attributes.map(({ name }) => name))) report(['attributes'], 'Two attributes have one name.');
  for (const [place, { name, minutes, values, list, unknown }] of attributes.entries()) {
    const at = (field: string): [string, number, string] => ['attributes', place, field];
    if (OWN_COLUMNS.includes(name)) report(at('name'), `The table has a column ${name} of its own; take another name.`);
    if ([minutes, values, list].filter((one) => one !== undefined).length !== 1)
      report(at('name'), 'An attribute has one of minutes, values and list.');
    if (values && isTwice([...values, unknown])) report(at('values'), 'A value is there twice, or is the unknown.');
    const odd = [...(values ?? []), unknown].find((value) => value.trim() !== value || /\p{Cc}/u.test(value));
    if (odd !== undefined) report(at('values'), 'A value has no blanks around it and no control characters.');
  }
};

const workloadRules: Rule = ({ attributes, workload }, report) => {
  if (!attributes || !workload) return;
  for (const [place, { cells, ranges }] of workload.entries()) {
    const stranger = cells.find((cell) => !attributes.some(({ name }) => name === cell));
    if (stranger !== undefined) report(['workload', place, 'cells'], `No attribute is called ${stranger}.`);
    if (isTwice(cells)) report(['workload', place, 'cells'], 'An attribute is named twice; take one out.');
    if (ranges === undefined) continue;
    if (!cells.includes(ranges)) report(['workload', place, 'ranges'], 'It has to be one of the cells.');
    if (attributes.some(({ name, list }) => name === ranges && list !== undefined))
      report(
        ['workload', place, 'ranges'],
        'The values of a list have no order; take times, or values in their order.',
      );
  }
};

const rowsRules: Rule = ({ privacy, parts }, report) => {
  if (!privacy || !parts) return;
  const { neighbours, rows, split } = privacy;
  if (neighbours === 'replace-one') {
    if (split.rows !== undefined)
      report(
        ['privacy', 'split', 'rows'],
        'The number of rows is public where a row is replaced; leave its share out.',
      );
    if (!rows || parts.some((part) => rows[part] === undefined) || Object.keys(rows).length !== parts.length)
      report(['privacy', 'rows'], 'Name a public number of rows for each part; never count them in the data.');
  } else if (rows !== undefined)
    report(['privacy', 'rows'], 'The number of rows is measured where rows come and go; leave it out.');
};

const privacyRules: Rule = ({ privacy, parts, rounds, window }, report) => {
  if (!privacy) return;
  const amounts = readAmounts(privacy, report);
  if (!amounts) return;
  if (parts && rounds !== undefined && window)
    runCheck(report, ['privacy'], () => certificateOfSynthesis({ privacy, parts, rounds, window }));
  requireRoom(privacy, amounts, report);
};

export const SYNTHETIC_RULES: readonly Rule[] = [sourceRules, attributeRules, workloadRules, rowsRules, privacyRules];
