import type { UserId } from '../../../src/core/ids.js';
import { deleteAccount } from '../../../src/services/accounts/delete-account.js';
import { protectAccount, unprotectAccount } from '../../../src/services/relations/follow-requests.js';
import { sql } from '../../../src/database/sql.js';
import { findUser } from '../../../src/stores/users.js';
import { startTestApp, type TestAnswer, type TestApp } from '../../support/app.js';

/** One server shared by many small groups of users actor do not know each other. */
export interface SocialServer extends AsyncDisposable {
  /** Creates users with the given names; `group` separates groups. */
  addUsers(group: number, names: readonly string[]): Promise<ReadonlyMap<string, TestUser>>;
  /** Advances the clock. */
  advance(durationMs: number): void;
  runJobs(): Promise<void>;
  /** Evicts the stored home timelines, so that they are rebuilt. */
  evictHomeTimelines(): Promise<void>;
}

/** A user of the server. */
export interface TestUser {
  readonly id: string;
  /** Unique on the server, unlike the name. */
  readonly username: string;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body: object): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
  protect(): Promise<void>;
  unprotect(): Promise<void>;
  /** Deletes the account. */
  leave(): Promise<void>;
}

export async function startSocialServer(startMs: number): Promise<SocialServer> {
  let nowMs = startMs;
  const app = await startTestApp({ clock: () => nowMs });
  return {
    addUsers: async (group, names) => {
      const users = names.map((name, n) => ({
        id: String(100_000 + group * 100 + n),
        username: `${name}${group}`,
        name,
      }));
      await app.load({ users });
      const testUsers = users.map(async ({ id, username, name }): Promise<[string, TestUser]> => [
        name,
        userOf(app, id, username, await app.as(username)),
      ]);
      return new Map(await Promise.all(testUsers));
    },
    advance: (durationMs) => {
      nowMs += durationMs;
    },
    runJobs: async () => {
      await app.pipit.jobs.fanOut.runDue();
      await app.pipit.jobs.worker.runDue();
    },
    evictHomeTimelines: () =>
      app.pipit.backend.engine.tx('evict', async (tx) => {
        await tx.run(sql`DELETE FROM home_timelines`);
      }),
    [Symbol.asyncDispose]: app.close,
  };
}

function userOf(app: TestApp, id: string, username: string, token: string): TestUser {
  const { backend } = app.pipit;
  const userId = BigInt(id) as UserId;
  return {
    id,
    username,
    get: (path) => app.get(path, token),
    post: (path, body) => app.post(path, token, body),
    delete: (path) => app.delete(path, token),
    protect: () => protectAccount(backend, userId),
    unprotect: () => unprotectAccount(backend, userId),
    leave: async () => {
      const user = await findUser(backend.engine, userId);
      if (user) await deleteAccount(backend, user);
    },
  };
}
