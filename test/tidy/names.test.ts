import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { isTest, readProjectFile, typescriptFiles } from './source-files.ts';

/** Nouns, verbs and terms of the field that look like participles. */
const WORDS =
  /^(accounting|alighting|boarding|binding|briefing|ceiling|cooling|differencing|drawing|encoding|ending|feed|finding|heading|listing|meaning|need|nesting|nothing|opening|operating|reading|rounding|seed|setting|sibling|stirling|warning)$/;

/** Names that Temporal stores, and terms of laws and papers. */
const NAMES =
  /^(changedObjects|missingObjects|scheduled(Window|ReleaseWorkflow|ReleaseWorkflowId)|roundedTerms|closedForm|adjusted)$/;

/** Variables that become members of that name. */
const MEMBERS: readonly string[] = [
  'activities/public/reaudit.ts: corrected',
  'client/audit/inputs.ts: declared',
  'counts/audit/checks/published-count.ts: published',
  'counts/audit/mechanism/distinguishing-events.ts: claimed',
  'custodian/preview/input-warnings.ts: unknown',
  'examples/count-example.fixture.ts: unknown',
  'foreign-audit/foreign-differences.ts: published',
  'kinds/taps/private/cell-numbers.ts: unlisted',
  'kinds/taps/public/audit-subject/past.ts: signed',
  'kinds/taps/public/texts.ts: shown',
  'services/decisions/approvals.ts: required',
];

const IRREGULAR =
  /^(begun|bought|brought|broken|built|chosen|done|drawn|driven|found|given|gone|grown|held|hidden|kept|known|lost|made|paid|said|seen|sent|shown|spent|stolen|stored|taken|thought|told|unknown|unseen|won|written)$/;

const isParticiple = (word: string): boolean =>
  (!WORDS.test(word) && /^[a-z]+(ed|ing)$/.test(word)) || IRREGULAR.test(word);

type Node = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Functions whose name begins with a participle, and variables and parameters whose name is one. */
function participles(file: string, text: string): string[] {
  const names: string[] = [];
  const add = (id: unknown, isFunction: boolean): void => {
    const { type, name } = (id ?? {}) as { type?: string; name?: string };
    if (type !== 'Identifier' || NAMES.test(name!)) return;
    if (isParticiple(isFunction ? /^[a-z]*/.exec(name!)![0] : name!)) names.push(`${file}: ${name}`);
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one);
    if (!isNode(value)) return;
    if (value.type === 'FunctionDeclaration') add(value.id, true);
    if (value.type === 'VariableDeclarator')
      add(value.id, (value.init as Node | null)?.type === 'ArrowFunctionExpression');
    if (/Function/.test(value.type)) for (const one of (value.params as unknown[] | undefined) ?? []) add(one, false);
    for (const child of Object.values(value)) walk(child);
  };
  walk(parseSync(file, text).program);
  return names;
}

test('functions are named by verbs and variables by nouns: no participle is a name', () => {
  const files = typescriptFiles().filter((file) => !isTest(file) && !file.startsWith('test/'));
  expect(files.flatMap((file) => participles(file, readProjectFile(file)))).toEqual(MEMBERS);
  const twin =
    'const told = 1; function drawnBytes(known: number) {} const asked = () => 1; const reading = { found: 1 };';
  expect(participles('a.ts', twin)).toEqual(['a.ts: told', 'a.ts: drawnBytes', 'a.ts: known', 'a.ts: asked']);
});
