import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../../test/support/new-folder.ts';
import { codeOf, identifier, literal, withDatabase } from './duckdb.ts';

const root = newFolder();
beforeAll(async () => {
  await mkdir(join(root, 'inside'));
  await writeFile(join(root, 'inside', 'a.csv'), 'x\n1\n');
  await writeFile(join(root, 'outside.csv'), 'x\n1\n');
});
const limits = () => ({ folder: join(root, 'inside'), memoryMiB: 64 });

describe('the locked database', () => {
  it('@contract C3: reads its folder and nothing beside it, and takes no further settings', async () => {
    await withDatabase(limits(), async (database) => {
      expect(await database.rows(`SELECT x FROM read_csv('${root}/inside/a.csv')`)).toEqual([[1n]]);
      for (const sql of [
        `SELECT * FROM read_csv('${root}/outside.csv')`,
        `SELECT * FROM read_csv('${root}/inside/../outside.csv')`,
        `COPY (SELECT 1) TO '${root}/outside.parquet'`,
        `ATTACH '${root}/outside.db'`,
        'INSTALL httpfs',
        'LOAD httpfs',
        'SET enable_external_access = true',
        `SET allowed_directories = ['${root}']`,
        "SET TimeZone = 'Australia/Sydney'",
      ]) {
        await expect(database.run(sql), sql).rejects.toThrow();
      }
    });
  });

  it('@contract C3: what runs beside is locked alike, its temporary tables are its own, and it waits for nobody', async () => {
    const settings = ['disabled_optimizers', 'TimeZone', 'lock_configuration', 'enable_external_access'];
    const query = `SELECT ${settings.map((name) => `current_setting('${name}')`).join(', ')}`;
    await withDatabase(limits(), async (database) => {
      for await (const _ of database.words('SELECT range::UINTEGER FROM range(1000000)')) {
        await database.beside(async (other) => {
          for (const sql of [`SELECT * FROM read_csv('${root}/outside.csv')`, 'SET disabled_optimizers = none'])
            await expect(other.run(sql), sql).rejects.toThrow();
          await other.run('CREATE TEMPORARY TABLE own AS SELECT 1');
          expect((await other.rows(query))[0]!.slice(1)).toEqual(['UTC', true, false]);
        });
        break;
      }
      expect(await database.beside((other) => other.rows(query))).toEqual(await database.rows(query));
      await expect(database.rows('FROM own')).rejects.toThrow();
    });
  });

  it('has the time zone UTC', async () => {
    const zone = withDatabase(limits(), (database) => database.rows("SELECT current_setting('TimeZone')"));
    expect(await zone).toEqual([['UTC']]);
  });

  it('says OUT_OF_SCRATCH when memory and temporary files are used up, and the code of the caller otherwise', async () => {
    await withDatabase({ ...limits(), memoryMiB: 8 }, async (database) => {
      const error: unknown = await database
        .run('CREATE TABLE t AS SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(3000000)')
        .catch((thrown: unknown) => thrown);
      expect(codeOf(error, 'OBJECT_UNREADABLE')).toBe('OUT_OF_SCRATCH');
      const other: unknown = await database.run('SELECT nothing').catch((thrown: unknown) => thrown);
      expect(codeOf(other, 'OBJECT_UNREADABLE')).toBe('OBJECT_UNREADABLE');
    });
  });

  it.runIf(existsSync('/dev/full'))('a full disk is OUT_OF_SCRATCH, whether DuckDB or Node writes to it', async () => {
    const copy = "COPY (SELECT * FROM range(100000)) TO '/dev/full' (FORMAT parquet, USE_TMP_FILE false)";
    const writes = {
      DuckDB: () => withDatabase({ folder: '/dev', memoryMiB: 64 }, (database) => database.run(copy)),
      Node: () => writeFile('/dev/full', 'x'),
    };
    for (const [writer, write] of Object.entries(writes)) {
      const error = await write().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(codeOf(error, 'OBJECT_UNREADABLE'), writer).toBe('OUT_OF_SCRATCH');
    }
  });

  it('takes names and texts as they stand', async () => {
    const odd = `a'"b; DROP TABLE x --`;
    await withDatabase(limits(), async (database) => {
      expect(
        await database.rows(`SELECT ${identifier(odd)} FROM (SELECT ${literal(odd)} AS ${identifier(odd)})`),
      ).toEqual([[odd]]);
    });
  });
});
