import { INTEGER_NOISES } from '../core/statistics/noise-law.ts';
import { type Declaration, NOTHING_DECLARED, TABLE_KINDS, type TableKind } from './foreign-table.ts';

/** What a person says of tables: for all of them, and for those of one kind. */
export type Declarations = ReadonlyMap<TableKind | 'all', Partial<Declaration>>;

const positive = (text: string): number | null => {
  const value = /^\d+(\.\d+)?(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : null;
};

/** Reads one value of a declaration; a value of null means that the text is not one. */
const READERS: Readonly<Record<string, (text: string) => Partial<Declaration>>> = {
  scale: (text) => ({ scale: positive(text) }),
  threshold: (text) => ({ threshold: /^\d{1,9}$/.test(text) ? Number(text) : null }),
  delta: (text) => {
    const delta = positive(text);
    return { delta: delta !== null && delta < 1 ? delta : null };
  },
  noise: (text) => ({ model: INTEGER_NOISES.find((one) => one === text) ?? null }),
};

/**
 * Reads `scale=1,threshold=18,location.scale=2,location.threshold=34,delta=1e-6,noise=rounded-laplace`: what a
 * publication says of its noise, for all tables or for one kind. Gives the first part that cannot be read as text.
 */
export function parseDeclarations(text: string): Declarations | string {
  const declarations = new Map<TableKind | 'all', Partial<Declaration>>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const match = /^(?:([a-z-]+)\.)?([a-z]+)=(\S+)$/.exec(part);
    const kind = match?.[1] === undefined ? 'all' : TABLE_KINDS.find((one) => one === match[1]);
    const reader = match && Object.hasOwn(READERS, match[2]!) ? READERS[match[2]!] : undefined;
    const value = reader?.(match![3]!);
    if (!value || Object.values(value).includes(null) || !kind) return part;
    declarations.set(kind, { ...declarations.get(kind), ...value });
  }
  return declarations;
}

/** What is declared for a table of this kind: a value for the kind takes precedence over a value for all. */
export const declarationOf = (declarations: Declarations, kind: TableKind): Declaration => ({
  ...NOTHING_DECLARED,
  ...declarations.get('all'),
  ...declarations.get(kind),
});
