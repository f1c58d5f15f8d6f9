import { Agent } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { protectAccount, unprotectAccount } from '../../src/services/relations/follow-requests.js';
import { startTestApp } from '../support/app.js';
import { rounds } from '../support/rounds.js';
import { createSharedDatabase } from '../support/test-database.js';
import { USERS } from '../support/world.js';
import { startServer } from '../wire/support/server-process.js';
import { bearer, send } from './support/cluster.js';

vi.setConfig({ testTimeout: 240_000 });

const ROUNDS = rounds(40);
const CHANGES_PER_ROUND = 6;

/** Starts one server in this process and one in its own process, which share only the database. */
async function startTwo() {
  const database = await createSharedDatabase();
  onTestFinished(database.remove);
  // Its responses do not wait for the disk, and so leave the other no time.
  const first = await startTestApp({ database, flags: { durability: 'relaxed' } });
  onTestFinished(first.close);
  const second = await startServer({
    args: ['--database', database.url, '--rate-limits', 'off'],
    folder: database.folder,
  });
  onTestFinished(async () => void (await second.end('SIGTERM')));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const seen = async (id: string, token: string): Promise<boolean> => {
    const { body } = await send(`${second.url}/2/tweets/${id}`, bearer(token), { agent });
    return body.data !== undefined;
  };
  return { first, seen };
}

test(`a change acknowledged by one process is visible to the next request of another, ${CHANGES_PER_ROUND * ROUNDS} times`, async () => {
  const { first, seen } = await startTwo();
  const [alice, mallory] = [await first.as('alice'), await first.as('mallory')];
  const blocking = `/2/users/${USERS.alice}/blocking`;
  await first.delete(`${blocking}/${USERS.mallory}`, alice);
  const posted = async (round: number): Promise<string> =>
    (await first.post('/2/tweets', alice, { text: `Round ${round}` })).body.data.id;
  const id = await posted(-1);
  const aliceId = BigInt(USERS.alice) as UserId;
  const { backend } = first.pipit;
  const stale: string[] = [];
  const check = async (what: string, post: string, token: string, isVisible: boolean): Promise<void> => {
    if ((await seen(post, token)) !== isVisible) stale.push(what);
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    await first.post(blocking, alice, { target_user_id: USERS.mallory });
    await check(`block ${round}`, id, mallory, false);
    await first.delete(`${blocking}/${USERS.mallory}`, alice);
    await check(`unblock ${round}`, id, mallory, true);

    await protectAccount(backend, aliceId);
    await check(`protect ${round}`, id, first.bearer, false);
    await unprotectAccount(backend, aliceId);
    await check(`open ${round}`, id, first.bearer, true);

    const brief = await posted(round);
    await check(`post ${round}`, brief, first.bearer, true);
    await first.delete(`/2/tweets/${brief}`, alice);
    await check(`delete ${round}`, brief, first.bearer, false);
  }
  expect(stale).toEqual([]);
});
