import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../services/stores/open-store.ts';
import { type Gateway, startVersitygw } from './versitygw.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startVersitygw();
});
afterAll(async () => {
  await gateway?.stop();
});

test('two sides: the public user cannot read, list or write the source, and can read what is granted', async () => {
  for (const bucket of ['source', 'release', 'publication']) await gateway.createBucket(bucket);
  const [privateUser, publicUser] = [await gateway.createUser('private'), await gateway.createUser('public')];
  await gateway.grant('source', privateUser, 'read');
  await gateway.grant('release', privateUser, 'read');
  await gateway.grant('release', privateUser, 'write');
  await gateway.grant('release', publicUser, 'read');
  await gateway.grant('publication', publicUser, 'read');
  await gateway.grant('publication', publicUser, 'write');

  const open = (bucket: string, user?: typeof publicUser) => openStore(gateway.configuration(bucket, user));
  const list = async (store: ReturnType<typeof open>) => {
    const keys: string[] = [];
    for await (const facts of store.list('')) keys.push(facts.key);
    return keys;
  };
  const refusal = { code: 'CONFIGURATION_INVALID' };
  await open('source').putIfAbsent('trips', Buffer.from('raw'));

  expect(await list(open('source', privateUser))).toEqual(['trips']);
  await expect(open('source', privateUser).putIfAbsent('x', Buffer.from('x'))).rejects.toMatchObject(refusal);
  expect(await open('release', privateUser).putIfAbsent('table', Buffer.from('x'))).toBe('created');

  await expect(open('source', publicUser).get('trips')).rejects.toMatchObject(refusal);
  await expect(open('source', publicUser).head('trips')).rejects.toMatchObject(refusal);
  await expect(list(open('source', publicUser))).rejects.toMatchObject(refusal);
  await expect(open('source', publicUser).putIfAbsent('x', Buffer.from('x'))).rejects.toMatchObject(refusal);
  expect(await list(open('release', publicUser))).toEqual(['table']);
  await expect(open('release', publicUser).putIfAbsent('x', Buffer.from('x'))).rejects.toMatchObject(refusal);
  expect(await open('publication', publicUser).putIfAbsent('page', Buffer.from('x'))).toBe('created');
  await expect(open('publication', privateUser).get('page')).rejects.toMatchObject(refusal);
});
