import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.js';
import type { PostId } from '../../src/core/ids.js';
import { EVERY_KEY } from '../../src/core/page.js';
import type { Engine } from '../../src/database/engine.js';
import { openEngine } from '../../src/database/open-engine.js';
import { putSearchRebuild } from '../../src/database/search-rebuild.js';
import { runCli } from '../support/cli.js';
import { createSharedDatabase, type SharedDatabase } from '../support/test-database.js';

/** `pipit reindex` while another process has the database open. */

const WORD = { kind: 'only', leaf: { kind: 'phrase', tokens: ['cat'], lastIsPrefix: false } } as const;

async function loaded(database: SharedDatabase): Promise<Engine> {
  const world = {
    users: [{ id: '1', username: 'alice', name: 'Alice' }],
    posts: Array.from({ length: 30 }, (_, n) => ({ id: String(n + 1), author: 'alice', text: `cat ${n}` })),
  };
  await writeFile(database.file('world.json'), JSON.stringify(world));
  await pipit(database, 'load', database.file('world.json'));
  return openEngine(database.url, { durability: 'relaxed', clock: systemClock });
}

async function pipit(database: SharedDatabase, ...args: string[]): Promise<unknown> {
  const io = { folder: database.folder, env: { PIPIT_DATABASE: database.url } };
  const { status, stdout } = await runCli([...args, '--json'], io);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

async function found(engine: Engine): Promise<number> {
  return (await engine.search.page(engine, WORD, EVERY_KEY, 100)).length;
}

test('reindex rebuilds the whole index, repeatedly', async () => {
  await using database = await createSharedDatabase();
  const engine = await loaded(database);
  try {
    await engine.tx('damage', (tx) => engine.search.clear(tx));
    expect(await found(engine)).toBe(0);
    expect(await pipit(database, 'reindex')).toEqual({ posts: 30, resumed: false });
    expect(await found(engine)).toBe(30);
    expect(await pipit(database, 'reindex', '--clear')).toEqual({ posts: 30, resumed: false });
    expect(await found(engine)).toBe(30);
  } finally {
    await engine.close();
  }
});

test('an interrupted reindex resumes after its last chunk; --clear starts again', async () => {
  await using database = await createSharedDatabase();
  const engine = await loaded(database);
  try {
    await engine.tx('break off', (tx) => putSearchRebuild(tx, 20n as PostId));
    expect(await pipit(database, 'reindex')).toEqual({ posts: 10, resumed: true });
    await engine.tx('break off', (tx) => putSearchRebuild(tx, 20n as PostId));
    expect(await pipit(database, 'reindex', '--clear')).toEqual({ posts: 30, resumed: false });
    expect(await pipit(database, 'reindex')).toEqual({ posts: 30, resumed: false });
  } finally {
    await engine.close();
  }
});
