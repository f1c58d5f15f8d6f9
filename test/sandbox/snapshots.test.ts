import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCpuTime } from '../support/cpu-time.js';
import { standardWorld } from '../support/world.js';
import { startTestSandbox, type TestSandbox } from './support/sandbox.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const textsOf = async ({ send }: TestSandbox): Promise<string[]> => {
  const { body } = await send('GET', '/2/users/1001/tweets?max_results=10', 'testbearer');
  return (body.data ?? []).map(({ text }: { text: string }) => text) as string[];
};

const post = async (pipit: TestSandbox, text: string): Promise<void> => {
  const { status } = await pipit.send('POST', '/2/tweets', await pipit.tokenOf('alice'), { text });
  expect(status).toBe(201);
};

test('a snapshot keeps the present state, a restore returns to it as often as needed, and a reset to the loaded world', async () => {
  await using pipit = await startTestSandbox();
  await post(pipit, 'first');
  const created = await pipit.control('POST', '/snapshots', { name: 'one' });
  expect(created).toMatchObject({ status: 201, body: { data: { name: 'one', clock_mode: 'running' } } });
  await post(pipit, 'second');
  await pipit.control('POST', '/snapshots', { name: 'two' });
  for (let round = 0; round < 2; round += 1) {
    expect((await pipit.control('POST', '/snapshots/one/restore')).status).toBe(200);
    expect(await textsOf(pipit)).toEqual(['first', 'Hello from the pond #birds']);
    await post(pipit, 'other');
    expect((await pipit.control('POST', '/snapshots/two/restore')).status).toBe(200);
    expect(await textsOf(pipit)).toEqual(['second', 'first', 'Hello from the pond #birds']);
  }
  await pipit.control('POST', '/reset');
  expect(await textsOf(pipit)).toEqual(['Hello from the pond #birds']);
  expect((await pipit.control('GET', '/snapshots')).body.data).toMatchObject([
    { name: 'one' },
    { name: 'two' },
  ]);
  expect((await pipit.control('DELETE', '/snapshots/one')).body.data.name).toBe('one');
  expect((await pipit.control('GET', '')).body.data.snapshots).toEqual(['two']);
});

test('a restore returns to the clock of the snapshot, and new ids are above all earlier ones', async () => {
  await using pipit = await startTestSandbox({ flags: { sandboxSeed: '1' } });
  const token = await pipit.tokenOf('alice');
  const idOf = async (text: string) =>
    BigInt((await pipit.send('POST', '/2/tweets', token, { text })).body.data.id as string);
  const before = await idOf('before');
  const { time } = (await pipit.control('GET', '/clock')).body.data;
  await pipit.control('POST', '/snapshots', { name: 'then' });
  await pipit.control('POST', '/clock/advance', { duration: '1h' });
  const later = await idOf('later');
  await pipit.control('POST', '/snapshots/then/restore');
  expect((await pipit.control('GET', '/clock')).body.data).toEqual({ time, mode: 'frozen' });
  const after = await idOf('after');
  expect(after > before && after < later).toBe(true);
});

test('names that are taken, unknown or not names are refused', async () => {
  await using pipit = await startTestSandbox();
  await pipit.control('POST', '/snapshots', { name: 'a.b-c_1' });
  expect((await pipit.control('POST', '/snapshots', { name: 'a.b-c_1' })).status).toBe(409);
  for (const name of ['', 'a b', '.', '..', '../x', 'x'.repeat(65), 7, null])
    expect((await pipit.control('POST', '/snapshots', { name })).status).toBe(400);
  expect((await pipit.control('POST', '/snapshots')).status).toBe(400);
  expect((await pipit.control('POST', '/snapshots/nothing/restore')).status).toBe(404);
  expect((await pipit.control('DELETE', '/snapshots/nothing')).status).toBe(404);
  expect((await pipit.control('POST', `/snapshots/${encodeURIComponent('a/../b')}/restore`)).status).toBe(
    400,
  );
});

test('media belong to the state', async () => {
  await using pipit = await startTestSandbox();
  const token = await pipit.tokenOf('alice');
  await pipit.control('POST', '/snapshots', { name: 'empty' });
  const body = { media: PNG, media_category: 'tweet_image' };
  const media = (await pipit.send('POST', '/2/media/upload', token, body)).body.data;
  const text = { text: 'with a picture', media: { media_ids: [media.id] } };
  const { id } = (await pipit.send('POST', '/2/tweets', token, text)).body.data;
  const urlOf = async (): Promise<string> => {
    const path = `/2/tweets/${id}?expansions=attachments.media_keys&media.fields=url`;
    return (await pipit.send('GET', path, token)).body.includes.media[0].url as string;
  };
  const url = await urlOf();
  const shown = (await fetch(url)).status;
  await pipit.control('POST', '/snapshots', { name: 'picture' });
  await pipit.control('POST', '/snapshots/empty/restore');
  const gone = (await fetch(url)).status;
  await pipit.control('POST', '/snapshots/picture/restore');
  expect([shown, gone, (await fetch(await urlOf())).status]).toEqual([200, 404, 200]);
});

test('a sandbox on a database file resets that file, and leaves nothing else behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-sandbox-test-'));
  try {
    const flags = { database: `sqlite:${join(folder, 'pipit.db')}` };
    {
      await using pipit = await startTestSandbox({ flags });
      await post(pipit, 'kept in a snapshot');
      await pipit.control('POST', '/snapshots', { name: 'one' });
      await pipit.control('POST', '/reset');
      expect(await textsOf(pipit)).toEqual(['Hello from the pond #birds']);
      await pipit.control('POST', '/snapshots/one/restore');
      expect(await textsOf(pipit)).toEqual(['kept in a snapshot', 'Hello from the pond #birds']);
    }
    await using again = await startTestSandbox({ flags, world: null });
    expect(await textsOf(again)).toEqual(['kept in a snapshot', 'Hello from the pond #birds']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a snapshot that cannot be restored leaves a server of the loaded world', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pipit-sandbox-test-'));
  try {
    const flags = { database: `sqlite:${join(folder, 'pipit.db')}` };
    await using pipit = await startTestSandbox({ flags });
    const copiesBefore = await copiesIn(folder);
    await post(pipit, 'kept in a snapshot');
    await pipit.control('POST', '/snapshots', { name: 'one' });
    const copies = await copiesIn(folder);
    for (const copy of copies) if (!copiesBefore.includes(copy)) await rm(join(folder, copy));
    expect((await pipit.control('POST', '/snapshots/one/restore')).status).toBe(500);
    expect(await textsOf(pipit)).toEqual(['Hello from the pond #birds']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Lists the copies of databases in the folder of a sandbox. */
async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /copies.*\.db$/.test(name));
}

/** The documented time. */
const RESTORE_MS = 50;

test('a reset of a world of 10,000 posts in memory takes 50 ms', async () => {
  const base = standardWorld();
  const posts = Array.from({ length: 10_000 }, (_, n) => ({
    id: String(1_600_000_000_000_000_000n + BigInt(n) * 4_194_304n),
    author: n % 2 === 0 ? 'alice' : 'bob',
    text: `Post number ${n} about herons, kingfishers and the weather at the pond`,
    lang: 'en',
  }));
  await using pipit = await startTestSandbox({
    world: { ...base, posts: [...(base['posts'] ?? []), ...posts] },
  });
  const times: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const cpuMs = startCpuTime();
    const { status } = await pipit.control('POST', '/reset');
    times.push(cpuMs());
    expect(status).toBe(200);
  }
  // CPU of the best rounds, since other tests run at the same time.
  expect(times.sort((one, other) => one - other)[2]).toBeLessThan(RESTORE_MS);
  expect(await textsOf(pipit)).toHaveLength(10);
});
