import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EVERY_KEY } from '../../src/core/page.js';
import { openEngine } from '../../src/database/open-engine.js';
import { only } from '../../src/query/selection.js';
import { worldDeps } from '../../src/server/backend.js';
import { indexAllPending } from '../../src/services/search/index-posts.js';
import { loadWorldFile } from '../../src/world/world-file.js';
import { spawnCli, temporaryFolder } from '../support/cli.js';
import type { LooseJson } from '../support/loose-json.js';
import { createOther, OTHERS, serve, sumsOf } from './support/databases.js';

const TOKEN = 'demo-maya-token';
const ME = '11';

async function call(method: string, url: string, body?: object) {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as LooseJson };
}

/** Posts, likes and deletes through a server until it is told to stop; returns the ids of its posts. */
function writeTo(url: string): { stop(): Promise<{ readonly kept: string[]; readonly deleted: string[] }> } {
  let isStopped = false;
  const kept: string[] = [];
  const deleted: string[] = [];
  const work = async (): Promise<void> => {
    for (let count = 0; !isStopped; count += 1) {
      const made = await call('POST', `${url}/2/tweets`, { text: `Heron number ${count}` });
      expect(made.status).toBe(201);
      const { id } = made.body.data;
      kept.push(id);
      await call('POST', `${url}/2/users/${ME}/likes`, { tweet_id: id });
      await call('POST', `${url}/2/users/${ME}/bookmarks`, { tweet_id: id });
      if (count % 3 === 2) {
        const gone = kept.shift() ?? '';
        expect((await call('DELETE', `${url}/2/tweets/${gone}`)).status).toBe(200);
        deleted.push(gone);
      }
      await delay(5);
    }
  };
  const working = work();
  return {
    stop: async () => {
      isStopped = true;
      await working;
      return { kept, deleted };
    },
  };
}

const MOVES = OTHERS.flatMap((engine) => [
  ['SQLite', engine],
  [engine, 'SQLite'],
]);

test.each(MOVES)(
  'a move from %s to %s follows a server under load, is stopped, continues, and loses nothing when the server stops',
  async (...engines) => {
    await using folder = await temporaryFolder();
    const engine = OTHERS.find((other) => engines.includes(other)) ?? 'another file';
    await using other = await createOther(engine, folder.file('other'));
    const file = `sqlite:${folder.file('pipit.db')}`;
    const [from, to] = engines[0] === 'SQLite' ? [file, other.url] : [other.url, file];
    const server = await serve(from, folder.file('data'));
    const { backend, writer, media } = server.pipit;
    await loadWorldFile(worldDeps(backend, writer, media.blobs), 'demo');
    const writing = writeTo(server.url);
    // A process of its own: in that of the server it would block the event loop while the server holds a lock.
    const follow = async (onInStep: (move: ChildProcess) => unknown) => {
      await using move = spawnCli(['move', from, to, '--follow', '--json'], folder.path);
      while (!move.stderr().includes('changes follow') && move.child.exitCode === null)
        await Promise.race([once(move.child.stderr ?? move.child, 'data'), move.exit()]);
      await onInStep(move.child);
      return { status: await move.exit(), stdout: move.stdout(), stderr: move.stderr() };
    };
    expect(await follow((move) => move.kill('SIGINT'))).toMatchObject({
      status: 130,
      stderr: expect.stringContaining('the same command continues the move'),
    });
    let written = { kept: [] as string[], deleted: [] as string[] };
    const moved = await follow(async () => {
      written = await writing.stop();
      await server.pipit.close();
    });
    expect(moved.stderr).not.toMatch(/^pipit: /m);
    expect(moved).toMatchObject({ status: 0 });
    expect(JSON.parse(moved.stdout)).toMatchObject({ resumed: true });
    expect(await sumsOf(to)).toEqual(await sumsOf(from));

    const { kept, deleted } = written;
    expect(deleted.length).toBeGreaterThan(2);
    expect(await indexedBy(to)).toEqual(await indexedBy(from));
    const next = await serve(to, folder.file('data'));
    const ids = [...kept.slice(-50), ...deleted.slice(-50)].join();
    const { data } = (await call('GET', `${next.url}/2/tweets?ids=${ids}`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(kept.slice(-50));
    await next.pipit.close();
  },
  90_000,
);

/** Returns the newest posts of the user in the index, complete as searches see it. */
async function indexedBy(url: string): Promise<readonly bigint[]> {
  const engine = await openEngine(url, { durability: 'relaxed' });
  try {
    await indexAllPending(engine, () => false);
    return await engine.search.page(engine, only({ kind: 'facets', anyOf: [`from:${ME}`] }), EVERY_KEY, 100);
  } finally {
    await engine.close();
  }
}
