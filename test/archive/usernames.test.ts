import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { findUser, findUserByUsername, insertUser } from '../../src/stores/users.js';
import { createImportFixture, NOON, ONE, page, user, type ImportFixture } from './import-fixture.js';

let fixture: ImportFixture;

beforeEach(async () => {
  fixture = await createImportFixture();
});

afterEach(() => fixture[Symbol.asyncDispose]());

describe('usernames', () => {
  it('belong to the account last seen with them; the other gets one made from its id', async () => {
    await fixture.importLines([page([], [user('7', 'sam')], NOON), page([], [user('8', 'Sam')], ONE)]);
    expect([await fixture.usernameOf('7'), await fixture.usernameOf('8')]).toEqual(['_7', 'Sam']);
    await fixture.importLines([page([], [user('9', 'SAM')], NOON)]);
    expect([await fixture.usernameOf('8'), await fixture.usernameOf('9')]).toEqual(['Sam', '_9']);
    expect((await findUserByUsername(fixture.engine, 'sam'))?.id).toBe(8n);
  });

  it('are the same when the files are read again or in the other order', async () => {
    const early = page([], [user('7', 'sam')], NOON);
    const late = page([], [user('8', 'sam'), user('7', 'samuel')], ONE);
    for (const lines of [[late, early], [early, late], [late], [early]]) {
      await fixture.importLines(lines);
      expect([await fixture.usernameOf('7'), await fixture.usernameOf('8')]).toEqual(['samuel', 'sam']);
    }
  });

  it('can be swapped between two accounts within a batch', async () => {
    await fixture.importLines([page([], [user('7', 'a'), user('8', 'b')], NOON)]);
    await fixture.importLines([page([], [user('7', 'b'), user('8', 'a')], ONE)]);
    expect([await fixture.usernameOf('7'), await fixture.usernameOf('8')]).toEqual(['b', 'a']);
  });

  it('return to an account that is seen with them later again', async () => {
    await fixture.importLines([page([], [user('7', 'sam')], NOON)]);
    const later = '2022-06-01T14:00:00+00:00';
    await fixture.importLines([page([], [user('8', 'sam')], ONE), page([], [user('7', 'sam')], later)]);
    expect([await fixture.usernameOf('7'), await fixture.usernameOf('8')]).toEqual(['sam', '_8']);
  });

  it('are never taken from an account created here', async () => {
    await fixture.importLines([page([], [user('7', 'alice')])]);
    await fixture.makeLocal();
    await fixture.importLines([page([], [user('8', 'ALICE')], ONE)]);
    expect([await fixture.usernameOf('7'), await fixture.usernameOf('8')]).toEqual(['alice', '_8']);
  });

  it('have another substitute if the first is in use', async () => {
    const squatter = { ...(await aUser()), id: 1n as UserId, username: '_8' };
    await fixture.engine.tx('squat', (tx) => insertUser(tx, squatter));
    await fixture.importLines([page([], [user('7', 'sam')], ONE), page([], [user('8', 'sam')], NOON)]);
    expect(await fixture.usernameOf('8')).toBe('_8_');
  });
});

async function aUser() {
  await fixture.importLines([user('99', 'template')]);
  const stored = await findUser(fixture.engine, 99n as UserId);
  if (!stored) throw new Error('not stored');
  return stored;
}
