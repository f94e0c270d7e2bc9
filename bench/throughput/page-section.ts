/**
 * The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced: each run writes its own part of a
 * page. Throws TypeError when the page has no such part.
 */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError(`the page has no part ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n${text.trim()}\n${page.slice(to)}`;
}
