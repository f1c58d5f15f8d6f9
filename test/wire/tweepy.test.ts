import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonWith } from '../support/python.js';
import type { WireServer } from './support/wire-server.js';
import {
  ALICE,
  ALICE_KEYS,
  ALICE_OAUTH2,
  APP,
  BOB,
  BOB_KEYS,
  FREE_MEDIA_IDS,
  POSTS,
  startWireServer,
  UNKNOWN_POST,
} from './support/wire-world.js';

/** Unmodified tweepy: `tweepy_client.py` drives it and prints the result of each check. */

const SCRIPT = join(import.meta.dirname, 'tweepy_client.py');

const python = pythonWith('tweepy');

const CHECKS = {
  check_lookup_with_everything: 'reads posts with every expansion and field',
  check_lookup_of_one_in_every_context: 'reads a post with bearer token, OAuth 1.0a and OAuth 2.0',
  check_partial_errors: 'reports missing and protected posts as partial errors',
  check_users: 'reads users by id, by username and as itself',
  check_posting_with_oauth1: 'posts, replies, quotes, polls and pictures with OAuth 1.0a',
  check_posting_with_oauth2: 'posts and deletes with an OAuth 2.0 user token',
  check_deleting: 'deletes its own posts, not those of others',
  check_hiding_replies: 'hides and unhides replies',
  check_refusals: 'raises the exception of each refusal',
};

let server: WireServer | undefined;
let outcomes: Record<string, string | null> = {};

describe.skipIf(python === undefined)('tweepy (skipped where `import tweepy` fails)', () => {
  beforeAll(async () => {
    server = await startWireServer();
    outcomes = await runChecks(String(python), server.port);
  });

  afterAll(() => server?.close());

  for (const [check, rule] of Object.entries(CHECKS)) {
    test(rule, () => {
      expect(outcomes).toHaveProperty(check);
      expect(outcomes[check]).toBeNull();
    });
  }

  test('every check is listed here', () => {
    expect(Object.keys(outcomes).sort()).toEqual(Object.keys(CHECKS).sort());
  });
});

async function runChecks(interpreter: string, port: number): Promise<Record<string, string | null>> {
  const script = spawn(interpreter, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  script.stdin.end(
    JSON.stringify({
      ...APP,
      port,
      alice: { ...ALICE, ...ALICE_KEYS },
      bob: { ...BOB, ...BOB_KEYS },
      aliceOAuth2: ALICE_OAUTH2,
      posts: POSTS,
      unknownPost: UNKNOWN_POST,
      freeMedia: FREE_MEDIA_IDS[2],
    }),
  );
  return JSON.parse(await text(script.stdout)) as Record<string, string | null>;
}
