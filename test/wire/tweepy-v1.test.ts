import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonWith } from '../support/python.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE_KEYS, APP, BOB, POSTS, startWireServer } from './support/wire-world.js';

/** Version 1.1 with unmodified tweepy: `tweepy_v1.py` performs the calls and prints the results. */

const SCRIPT = join(import.meta.dirname, 'tweepy_v1.py');

const python = pythonWith('tweepy');

let server: WireServer | undefined;
let outcome: Record<string, unknown> = {};

describe.skipIf(python === undefined)('tweepy.API (skipped where `import tweepy` fails)', () => {
  beforeAll(async () => {
    server = await startWireServer();
    const script = spawn(String(python), ['-W', 'ignore', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    script.stdin.end(JSON.stringify({ ...APP, ...ALICE_KEYS, port: server.port, post: POSTS.reply }));
    outcome = JSON.parse(await text(script.stdout)) as Record<string, unknown>;
  });

  afterAll(() => server?.close());

  test.each([
    [
      'update_status posts text with every kind of character',
      'created',
      ['Tweepy: 100% &amp; more, or café?', 'alice', true],
    ],
    ['update_status replies with added handles', 'reply', ['@bob Yes', 'bob']],
    ['update_status raises Forbidden 187 for the same text', 'repeated', ['Forbidden', [187]]],
    ['create_favorite likes', 'liked', true],
    ['create_favorite raises Forbidden 139 for a like that exists', 'liked again', ['Forbidden', [139]]],
    ['destroy_favorite removes a like', 'unliked', false],
    ['get_status reads with a bearer token', 'status', true],
    ['get_status raises NotFound 144', 'missing', ['NotFound', [144]]],
    ['home_timeline pages', 'home', expect.objectContaining({ length: 4 })],
    ['user_timeline reads', 'timeline', ['bob', 'bob']],
    ['get_user shows whether one follows', 'user', true],
    ['lookup_users sends a form', 'users', ['bob', 'alice']],
    ['get_follower_ids reads integers', 'followers', [Number(BOB.id)]],
    ['get_friend_ids pages', 'friends', [BOB.id]],
    ['destroy_friendship unfollows', 'unfollowed', false],
    ['create_friendship follows', 'followed', true],
    ['search_tweets answers', 'search', [0]],
    ['search_geo finds a place', 'places', ['Harbour, Island']],
    ['destroy_status deletes', 'destroyed', true],
    ['update_profile changes parts', 'profile', 'http://alice.example'],
    ['update_profile_image sends a file', 'picture', false],
    ['update_profile_banner sends a file and a part', 'banner', null],
    ['get_profile_banner reads', 'banner sizes', '1500x500'],
    ['remove_profile_banner removes', 'banner removed', [null, ['NotFound', [34]]]],
  ])('API.%s', (_, name, expected) => {
    expect(outcome[name]).toEqual(expected);
  });
});
