import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startTestApp } from '../support/app.js';

test('the example world file loads and gives the documented responses', async () => {
  const document: unknown = JSON.parse(
    await readFile(new URL('../../examples/pond.json', import.meta.url), 'utf8'),
  );
  await using app = await startTestApp({ world: document });
  const { status, body } = await app.get(
    '/2/tweets/1560000000000000001?expansions=author_id,attachments.media_keys,geo.place_id',
    'pond-bearer-token',
  );
  expect(status).toBe(200);
  expect(body.includes).toMatchObject({
    users: [{ username: 'wren' }],
    media: [{ media_key: '3_301' }],
    places: [{ full_name: 'Mill Pond' }],
  });
  const secret = await app.get('/2/tweets/1560000000000000004', 'pond-heron-token');
  expect(secret.body.errors[0].title).toBe('Authorization Error');
  expect((await app.post('/2/tweets', 'pond-heron-token', { text: 'Good morning' })).status).toBe(201);
  const read = async (path: string) => (await app.get(path, 'pond-heron-token')).body;
  const list = await read('/2/lists/1560000000000000101?list.fields=member_count&expansions=owner_id');
  expect(list).toMatchObject({
    data: { name: 'Mill Pond', member_count: 2 },
    includes: { users: [{ id: '101' }] },
  });
  expect((await read('/2/lists/1560000000000000102')).errors[0].title).toBe('Not Found Error');
  const spaces = await read('/2/spaces/search?query=dawnchorus&expansions=speaker_ids,topic_ids');
  expect(spaces.data).toMatchObject([{ id: '1MillPondDawn', state: 'live', topics: [{ name: 'Birdsong' }] }]);
  const events = await read('/2/dm_events?event_types=MessageCreate&dm_event.fields=dm_conversation_id');
  expect(events.data).toMatchObject([
    { text: 'I take the first watch' },
    { dm_conversation_id: '101-102' },
    { text: 'Is the old boat still dry?' },
  ]);
});
