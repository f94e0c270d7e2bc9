import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Mutant } from '../mutants/mutant.ts';
import { MUTANTS } from '../mutants/mutants.ts';
import { pathOfTest } from '../mutants/planting.ts';
import { isPure, isTest, projectFiles, ROOT, readProjectFile, trackedFiles, typescriptFiles } from './source-files.ts';

const sources = typescriptFiles().filter((file) => !isTest(file));

const offenders = (files: string[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(readProjectFile(file)));

describe('style', () => {
  test('pure code has no clock and no soft randomness', () => {
    expect(sources.filter(isPure)).toContain('kinds/occupancy/mechanism/sampler.ts');
    expect(offenders(sources.filter(isPure), /\bnew Date\b|\bDate\.|Math\.random|performance\.now|process\./)).toEqual(
      [],
    );
  });

  test('what makes files of a release reads no locale, zone of the host or clock', () => {
    const makes = /^(kinds\/\w+\/public|services\/(publication|audit-page|pages|series-pages))\//;
    const reads =
      /toLocale|localeCompare|\bIntl\.|new Date\(\)|Date\.now\(|\.get(Timezone|Hours|Date|Day|Month|FullYear)|hostname\(/;
    expect(
      offenders(
        sources.filter((file) => isPure(file) || makes.test(file)),
        reads,
      ),
    ).toEqual([]);
    expect(['n.toLocaleString()', 'new Date().toISOString()'].every((text) => reads.test(text))).toBe(true);
  });

  test('workflows have no soft randomness of their own and no Node globals', () => {
    const workflows = sources.filter((file) => file.startsWith('workflows/'));
    expect(offenders(workflows, /Math\.random|\bprocess\.|\bBuffer\b/)).toEqual([]);
  });

  test('validators of Updates are synchronous: the SDK never awaits an async one', () => {
    const broken = /validator:\s*async/;
    expect(offenders(sources, broken)).toEqual([]);
    expect(broken.test('{ validator: async (x) => {} }')).toBe(true);
  });

  test('no source file is longer than 400 lines', () => {
    const long = [...typescriptFiles()].filter((file) => readProjectFile(file).split('\n').length > 401);
    expect(long).toEqual([]);
  });

  test('no comment is wider than 122 columns: nobody formats it but who writes it', () => {
    const wide = /^ *(?:\/\*\*|\*|\/\/).*$/gm;
    const isWide = (text: string) => (text.match(wide) ?? []).some((line) => line.length > 122);
    expect(typescriptFiles().filter((file) => isWide(readProjectFile(file)))).toEqual([]);
    expect([120, 119].map((length) => isWide(`const a = 1;\n// ${'x'.repeat(length)}`))).toEqual([true, false]);
  });

  test('no file is over 1 MB', () => {
    expect(projectFiles().filter((file) => statSync(`${ROOT}/${file}`).size > 1_000_000)).toEqual([]);
  });

  test('no data outside test and examples, whatever .gitignore says', () => {
    const data = /\.(parquet|crc|duckdb|sqlite3?|db|wal|log|csv|gz|zst|zip|arrow)$|(^|\/)_SUCCESS$/;
    const isData = (file: string) => data.test(file) && !/^(test|examples)\//.test(file);
    expect(trackedFiles().filter(isData)).toEqual([]);
    const left = ['a.db/part-0.snappy.parquet', 'a.db/._SUCCESS.crc', 'a.db/_SUCCESS', 'derby.log', 'test/a.parquet'];
    expect(left.filter(isData)).toEqual(left.slice(0, -1));
  });

  test('no left-over marks and no test that is switched off without a reason', () => {
    const marks = new RegExp(['TO', 'DO|FIX', 'ME|\\b(it|test|describe)\\.(only|todo|fails|skip)\\('].join(''));
    expect(offenders(typescriptFiles(), marks)).toEqual([]);
  });

  test('no path of a machine', () => {
    const text = projectFiles().filter(
      (file) => /\.(ts|mjs|md|json|ya?ml|sh)$/.test(file) && !file.startsWith('test/vectors/'),
    );
    expect(offenders(text, /(^|[\s"'`(])\/(root|home|work|Users)\//m)).toEqual([]);
  });
});

describe('proofs', () => {
  const proofs = projectFiles().filter((file) => file.endsWith('.proof.md'));

  test.each(proofs)('%s holds the hash of the code that it proves', (proof) => {
    const code = readProjectFile(proof.replace(/\.proof\.md$/, '.ts'));
    const hash = createHash('sha256').update(code).digest('hex');
    expect(readProjectFile(proof)).toContain(`code-sha256: ${hash}`);
  });
});

describe('obligations', () => {
  const clauses = Array.from({ length: 20 }, (_, number) => `C${number + 1}`);
  const named = sources.flatMap((file) =>
    [...readProjectFile(file).matchAll(/@contract ([\w-]+)/g)].map((match) => match[1]!),
  );
  const obligations = [...new Set([...clauses, ...named])];

  /** Obligations without a planted bug that breaks them, and so without a test that is known to fail then. */
  const unkept = (mutants: readonly Pick<Mutant, 'clause'>[]): string[] =>
    obligations.filter((obligation) => !mutants.some(({ clause }) => clause === obligation));

  test('each has a planted bug that breaks it, and with it a test that fails without it (test/mutants)', () => {
    expect(unkept(MUTANTS)).toEqual([]);
    expect(unkept(MUTANTS.filter(({ clause }) => clause !== 'C17'))).toEqual(['C17']);
  });

  test('each is named where the code keeps it; a planted bug breaks one that is', () => {
    expect(clauses.filter((clause) => !named.includes(clause))).toEqual([]);
    expect(MUTANTS.filter(({ clause }) => !obligations.includes(clause))).toEqual([]);
  });

  test('the test that each planted bug has to fail is in a file that is there', () => {
    const files = typescriptFiles();
    for (const { killer } of MUTANTS) expect(files).toContain(pathOfTest(killer.file, files));
  });
});
