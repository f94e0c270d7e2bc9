import { binMinutes } from '../../../contracts/series.ts';
import { lines } from '../../../core/text/paragraphs.ts';
import { type LevelNames, type Rule, ruleInWords } from './generalisation.ts';

/**
 * The part of a series file that says what the rules say, as YAML with comments. `levels` names the levels of a column,
 * the finest first. A series has one length of time bins: the longest is taken, and lengths over an hour cannot be given.
 * `chosenOn` names the window that was looked at, and makes the certificate say so (C17); null for other data.
 *
 * @contract C17
 */
export function seriesSnippet(
  columns: readonly string[],
  rules: readonly Rule[],
  levels: LevelNames,
  chosenOn: string | null,
): string {
  const minutes = rules.flatMap((rule) => (rule.kind === 'minutes' ? [rule.minutes] : []));
  const longest = Math.max(0, ...minutes);
  const bins: string[] = [];
  if (binMinutes.safeParse(longest).success)
    bins.push(`  minutes: ${longest} # day.starts and day.ends have to be the start of one`);
  else if (longest > 0)
    bins.push(`  # time bins of ${longest} minutes: a series takes ${[...binMinutes.values].join(', ')}`);
  for (const [index, rule] of rules.entries())
    if (rule.kind === 'level') {
      const name = ruleInWords(columns[index]!, rule, levels);
      // The dictionaries of a series say so already.
      if (name !== 'location')
        bins.push(
          `  # ${columns[index]}: in the dictionary of each mode, source is its value and location its ${name}`,
        );
    }
  const drops = columns.filter((_, index) => rules[index]!.kind === 'drop');
  if (new Set(minutes).size > 1) bins.push('  # the columns of time had different bins; a series has one length');
  return lines(
    bins.length > 0 ? ['bins:', ...bins] : '# the bins stay as they are',
    drops.length > 0 && `# left out of source.columns: ${drops.join(', ')}`,
    chosenOn === null
      ? '# privacy.chosenOn: name the data of this table here, in a few words'
      : ['privacy:', `  chosenOn: ${chosenOn}`],
  );
}
