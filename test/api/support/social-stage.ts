import type { UserId } from '../../../src/core/ids.js';
import { deleteAccount } from '../../../src/services/accounts/delete-account.js';
import { protectAccount, unprotectAccount } from '../../../src/services/relations/follow-requests.js';
import { sql } from '../../../src/database/sql.js';
import { findUser } from '../../../src/stores/users.js';
import { startTestApp, type TestAnswer, type TestApp } from '../../support/app.js';

/** One server on which many small groups of people act, each group strangers to the others. */
export interface Stage extends AsyncDisposable {
  /** New people, by the names given; `cast` tells groups apart. */
  enter(cast: number, names: readonly string[]): Promise<ReadonlyMap<string, Player>>;
  /** Moves the clock on. */
  advance(durationMs: number): void;
  runJobs(): Promise<void>;
  /** Forgets which home timelines are kept, so that they are built anew. */
  coolHomeTimelines(): Promise<void>;
}

/** Somebody on the stage. */
export interface Player {
  readonly id: string;
  /** Unlike the name, nobody else's on the stage. */
  readonly username: string;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body: object): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
  protect(): Promise<void>;
  unprotect(): Promise<void>;
  /** Deletes the account. */
  leave(): Promise<void>;
}

export async function openStage(startMs: number): Promise<Stage> {
  let nowMs = startMs;
  const app = await startTestApp({ clock: () => nowMs });
  return {
    enter: async (cast, names) => {
      const users = names.map((name, n) => ({
        id: String(100_000 + cast * 100 + n),
        username: `${name}${cast}`,
        name,
      }));
      await app.load({ users });
      const players = users.map(async ({ id, username, name }): Promise<[string, Player]> => [
        name,
        playerOf(app, id, username, await app.as(username)),
      ]);
      return new Map(await Promise.all(players));
    },
    advance: (durationMs) => {
      nowMs += durationMs;
    },
    runJobs: async () => {
      await app.pipit.jobs.fanOut.runDue();
      await app.pipit.jobs.worker.runDue();
    },
    coolHomeTimelines: () =>
      app.pipit.backend.engine.tx('cool', async (tx) => {
        await tx.run(sql`DELETE FROM home_timelines`);
      }),
    [Symbol.asyncDispose]: app.close,
  };
}

function playerOf(app: TestApp, id: string, username: string, token: string): Player {
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
