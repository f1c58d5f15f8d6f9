import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { FeedNotices } from './feed-notices.js';

describe('the entries that notifications bring', () => {
  const start = async () => {
    let source = 'own';
    let others = 0;
    const notices = new FeedNotices({ source: () => source, onOther: () => (others += 1) });
    const client = new EventEmitter();
    await notices.listen(client as unknown as pg.Client, async () => ({ channel: 'feed' }));
    let position = 0;
    const send = (payload: string) => client.emit('notification', { payload });
    return {
      notices,
      send,
      others: () => others,
      rename: (name: string) => void (source = name),
      commit: (name: string, changes: string) => send(`${(position += 1)} ${name} ${changes}`),
      taken: () => {
        const taken = notices.take();
        return taken === 'unknown' ? taken : taken.map(({ changes }) => changes);
      },
    };
  };

  test('own entries count only after one of another process', async () => {
    const { notices, commit, taken, others } = await start();
    commit('own', '[1]');
    expect(taken()).toEqual([]);
    commit('own', '[2]');
    commit('other', '[3]');
    commit('own', '[4]');
    commit('', '["by hand"]');
    expect([notices.hasAll(5n), notices.hasAll(6n)]).toEqual([true, false]);
    expect(taken()).toEqual(['[3]', '[4]', '["by hand"]']);
    expect(others()).toBe(2);
    commit('own', '[6]');
    expect(taken()).toEqual([]);
  });

  test('own entries count also alone if they may come after those that were taken', async () => {
    const { notices, commit, taken } = await start();
    notices.keepsOwn = true;
    commit('own', '[1]');
    expect(taken()).toEqual(['[1]']);
    notices.keepsOwn = false;
    commit('own', '[2]');
    expect(taken()).toEqual([]);
  });

  test('entries under a former name are those of another process', async () => {
    const { commit, rename, taken } = await start();
    rename('new');
    commit('own', '[1]');
    expect(taken()).toEqual(['[1]']);
  });

  test('changes may contain spaces and lines, or be in the table only', async () => {
    const { commit, taken } = await start();
    commit('other', '["a b\nc"]');
    commit('other', '?');
    expect(taken()).toEqual(['["a b\nc"]', undefined]);
  });

  test('the start is not behind entries that arrived before it was known', async () => {
    const { notices, send } = await start();
    send('7 other [1]');
    notices.startAt(6n);
    expect(notices.hasAll(7n)).toBe(true);
  });

  test('what is no entry is ignored', async () => {
    const { notices, send, taken, others } = await start();
    for (const payload of [
      '',
      ' ',
      'x',
      '1',
      '1 other',
      'x other []',
      '-1 other []',
      `${'9'.repeat(30)} other []`,
    ])
      send(payload);
    expect(taken()).toEqual([]);
    expect([notices.hasAll(1n), others()]).toEqual([false, 0]);
  });

  test('too many waiting entries are discarded, and later ones wait again after the next call', async () => {
    const { commit, taken } = await start();
    for (let count = 0; count < 800; count += 1) commit('other', `["${'x'.repeat(7_000)}"]`);
    expect(taken()).toBe('unknown');
    commit('other', '[1]');
    expect(taken()).toEqual(['[1]']);
    for (let count = 0; count < 800; count += 1) commit('other', '?');
    expect(taken()).toBe('unknown');
  });
});
