import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import type { WireServer } from './support/wire-server.js';
import { ALICE_KEYS, APP, BOB, POSTS, startWireServer } from './support/wire-world.js';

/** Version 1.1 with Perl’s unmodified Net::Twitter: `net_twitter.pl` performs the calls and prints the results. */

const SCRIPT = join(import.meta.dirname, 'net_twitter.pl');

const isInstalled = spawnSync('/usr/bin/perl', ['-MNet::Twitter', '-e', '1']).status === 0;

let server: WireServer | undefined;
afterAll(() => server?.close());

test.skipIf(!isInstalled)(
  'Net::Twitter posts, reads, likes, follows and deletes (skipped where libnet-twitter-perl is not installed)',
  async () => {
    server = await startWireServer();
    const script = spawn('/usr/bin/perl', [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    script.stdin.end(JSON.stringify({ ...APP, ...ALICE_KEYS, port: server.port, post: POSTS.reply }));
    expect(JSON.parse(await text(script.stdout))).toEqual({
      created: ['Perl: 100% &amp; more, or café?', 'alice'],
      reply: POSTS.reply,
      repeated: '403 187',
      liked: 1,
      unliked: 0,
      status: POSTS.reply,
      home: 3,
      timeline: 'bob',
      user: 'Bob',
      users: ['bob'],
      followers: [BOB.id],
      friends: 0,
      unfollow: 0,
      follow: 1,
      search: 'ARRAY',
      destroyed: 1,
    });
  },
);
