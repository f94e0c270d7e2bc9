/** What stands between `<!-- name -->` and `<!-- /name -->`. Throws TypeError when the page has no such part. */
export function sectionOf(page: string, name: string): string {
  const [from, to] = boundsOf(page, name);
  return page.slice(from, to);
}

/**
 * The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced: each run writes its own part of a
 * page. Throws TypeError when the page has no such part.
 */
export function withSection(page: string, name: string, text: string): string {
  const [from, to] = boundsOf(page, name);
  return `${page.slice(0, from)}\n${text.trim()}\n${page.slice(to)}`;
}

/**
 * The page with the last field of some rows of its tables replaced, by their first field. Throws TypeError when the page
 * has no such row.
 */
export function withReached(page: string, reached: Readonly<Record<string, string>>): string {
  const lines = page.split('\n');
  for (const [what, value] of Object.entries(reached)) {
    const at = lines.findIndex((line) => line.startsWith(`| ${what} |`));
    if (at < 0) throw new TypeError(`the page has no row ${what}`);
    lines[at] = `${lines[at]!.split(' | ').slice(0, -1).join(' | ')} | ${value} |`;
  }
  return lines.join('\n');
}

/** Where the text of a part begins and ends. */
function boundsOf(page: string, name: string): [from: number, to: number] {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`the page has no part ${begin} … ${end}`);
  return [from + begin.length, to];
}
