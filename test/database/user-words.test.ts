import { describe, expect, onTestFinished, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { createIndexUsers } from '../../src/services/search/index-users.js';
import { createUserSearch } from '../../src/services/search/search-users.js';
import { migrations } from '../../src/database/migrations/all.js';
import { userWords } from '../../src/database/migrations/0030-user-words.js';
import { sql } from '../../src/database/sql.js';
import { changeProfile, deleteUser, findUser, insertUser, renameUser } from '../../src/stores/users.js';
import { testEngines } from './engines.js';

/** The words by which users are found follow every change of the users. */

const ADA = 7n as UserId;
const PROFILE = { description: '', location: undefined, url: undefined, entities: undefined };

const ada = {
  id: ADA,
  username: 'ada',
  name: 'Ada Lovelace',
  createdAtMs: 0,
  ...PROFILE,
  profileImageUrl: undefined,
  protected: false,
  verified: false,
  verifiedType: undefined,
  pinnedPostId: undefined,
  allowsPhotoTagging: true,
  receivesDms: 'everyone' as const,
  suspended: false,
  withheld: undefined,
};

describe.each(testEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, kind) => {
  test('a new name and username replace the earlier words, and a deletion removes them', async () => {
    const database = await kind.create('schema');
    onTestFinished(() => database.remove());
    const engine = await database.open();
    const search = createUserSearch({ engine });
    const found = async (query: string) => (await search(query, { limit: 10 })).items;
    await engine.tx('insert', (tx) => insertUser(tx, ada));
    expect(await found('love')).toEqual([ADA]);
    await engine.tx('change', (tx) => changeProfile(tx, ADA, { ...PROFILE, name: 'Countess' }));
    expect([await found('love'), await found('count')]).toEqual([[], [ADA]]);
    await engine.tx('rename', (tx) => renameUser(tx, ada, 'byron'));
    expect([await found('ada'), await found('byron')]).toEqual([[], [ADA]]);
    await engine.tx('delete', async (tx) => {
      const user = await findUser(tx, ADA);
      if (user) await deleteUser(tx, user);
    });
    expect(await found('byron')).toEqual([]);
    expect(await engine.all(sql`SELECT word FROM user_words`)).toEqual([]);
  });

  test('whole words come before longer ones, whatever the language of the database', async () => {
    const database = await kind.create('schema');
    onTestFinished(() => database.remove());
    const engine = await database.open();
    const names = ['zoë', 'zo_a', 'zoa', 'Zo', 'zob', 'zp', 'zn'];
    await engine.tx('insert', async (tx) => {
      for (const [at, username] of names.entries())
        await insertUser(tx, { ...ada, id: BigInt(at + 1) as UserId, username: `u${at}`, name: username });
    });
    const { items } = await createUserSearch({ engine })('zo', { limit: 10 });
    expect(items).toEqual([1n, 2n, 3n, 4n, 5n]);
  });

  test('users stored before the search existed are added by a job', async () => {
    const database = await kind.create();
    onTestFinished(() => database.remove());
    const before = migrations.filter(({ version }) => version < userWords.version);
    const old = await database.open({ migrations: before });
    await old.tx('store', async (tx) => {
      await tx.run(sql`
        INSERT INTO users (id, username, name, created_at, description, protected, verified, allows_photo_tagging,
          receives_dms, suspended)
        VALUES (${ADA}, 'ada', 'Ada Lovelace', 0, '', ${false}, ${false}, ${true}, 'everyone', ${false})`);
    });
    await old.close();
    const engine = await database.open();
    const jobs = await engine.all(sql`SELECT kind, payload FROM jobs`);
    expect(jobs).toEqual([{ kind: 'index-users', payload: '{}' }]);
    const run = createIndexUsers({ engine });
    for (let payload: { readonly after?: string } | undefined = {}; payload;) {
      const next: (typeof payload)[] = [];
      const job = {
        payload,
        completeIn: async () => undefined,
        continueWith: async (_tx: unknown, more: { readonly after?: string }) => void next.push(more),
      };
      await run(job as unknown as Parameters<typeof run>[0]);
      payload = next[0];
    }
    expect((await createUserSearch({ engine })('love', { limit: 10 })).items).toEqual([ADA]);
  });
});
