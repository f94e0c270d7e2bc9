import { expect, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { decoded, withoutMachine } from './history-file.ts';

const encoded = (text: string) => Buffer.from(text).toString('base64');

test('what names the machine is taken out of a history, also from payloads, and the rest stays', () => {
  const folder = newFolder();
  const payload = { metadata: { encoding: encoded('json/plain') }, data: encoded(`"folder:${folder}/stores"`) };
  const sticky = { name: '20987@host', kind: 'TASK_QUEUE_KIND_STICKY' };
  const cleaned = withoutMachine({ eventId: '1', identity: '7@host', stackTrace: `at ${folder}`, sticky, payload });
  expect(cleaned).toEqual({
    eventId: '1',
    identity: 'worker',
    stackTrace: '',
    sticky: { name: 'sticky', kind: 'TASK_QUEUE_KIND_STICKY' },
    payload: { metadata: payload.metadata, data: encoded('"folder:/stack/stores"') },
  });
  expect(decoded(payload.data)).toContain(folder);
});
