import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { findUser, findUserByUsername, insertUser } from '../../src/stores/users.js';
import { createImportBench, NOON, ONE, page, user, type ImportBench } from './import-bench.js';

let bench: ImportBench;

beforeEach(async () => {
  bench = await createImportBench();
});

afterEach(() => bench[Symbol.asyncDispose]());

describe('usernames', () => {
  it('gives a name to whoever was seen with it last; the other goes by a name made from the id', async () => {
    await bench.importLines([page([], [user('7', 'sam')], NOON), page([], [user('8', 'Sam')], ONE)]);
    expect([await bench.usernameOf('7'), await bench.usernameOf('8')]).toEqual(['_7', 'Sam']);
    await bench.importLines([page([], [user('9', 'SAM')], NOON)]);
    expect([await bench.usernameOf('8'), await bench.usernameOf('9')]).toEqual(['Sam', '_9']);
    expect((await findUserByUsername(bench.engine, 'sam'))?.id).toBe(8n);
  });

  it('gives the same names when the files are read again, and in the other order', async () => {
    const early = page([], [user('7', 'sam')], NOON);
    const late = page([], [user('8', 'sam'), user('7', 'samuel')], ONE);
    for (const lines of [[late, early], [early, late], [late], [early]]) {
      await bench.importLines(lines);
      expect([await bench.usernameOf('7'), await bench.usernameOf('8')]).toEqual(['samuel', 'sam']);
    }
  });

  it('lets two accounts swap names within a batch', async () => {
    await bench.importLines([page([], [user('7', 'a'), user('8', 'b')], NOON)]);
    await bench.importLines([page([], [user('7', 'b'), user('8', 'a')], ONE)]);
    expect([await bench.usernameOf('7'), await bench.usernameOf('8')]).toEqual(['b', 'a']);
  });

  it('gives a name back to an account that is seen with it again still later', async () => {
    await bench.importLines([page([], [user('7', 'sam')], NOON)]);
    const later = '2022-06-01T14:00:00+00:00';
    await bench.importLines([page([], [user('8', 'sam')], ONE), page([], [user('7', 'sam')], later)]);
    expect([await bench.usernameOf('7'), await bench.usernameOf('8')]).toEqual(['sam', '_8']);
  });

  it('never takes a name from an account made here', async () => {
    await bench.importLines([page([], [user('7', 'alice')])]);
    await bench.makeLocal();
    await bench.importLines([page([], [user('8', 'ALICE')], ONE)]);
    expect([await bench.usernameOf('7'), await bench.usernameOf('8')]).toEqual(['alice', '_8']);
  });

  it('finds another substitute when the first is taken', async () => {
    const squatter = { ...(await aUser()), id: 1n as UserId, username: '_8' };
    await bench.engine.tx('squat', (tx) => insertUser(tx, squatter));
    await bench.importLines([page([], [user('7', 'sam')], ONE), page([], [user('8', 'sam')], NOON)]);
    expect(await bench.usernameOf('8')).toBe('_8_');
  });
});

async function aUser() {
  await bench.importLines([user('99', 'template')]);
  const stored = await findUser(bench.engine, 99n as UserId);
  if (!stored) throw new Error('not stored');
  return stored;
}
