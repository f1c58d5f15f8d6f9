import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gif, mp4, png } from '../api/support/media-files.js';
import { pythonWith } from '../support/python.js';
import type { WireServer } from './support/wire-server.js';
import { ALICE_KEYS, APP, startWireServer } from './support/wire-world.js';

/** Uploads with unmodified tweepy: `tweepy_media.py` performs them and prints the results. */

const SCRIPT = join(import.meta.dirname, 'tweepy_media.py');

const python = pythonWith('tweepy');

const PNG = await png(30, 20);
const video = mp4({ durationMs: 1_500 });

let server: WireServer | undefined;
let outcome: Record<string, unknown> = {};

describe.skipIf(python === undefined)('tweepy (skipped where `import tweepy` fails)', () => {
  beforeAll(async () => {
    server = await startWireServer();
    const script = spawn(String(python), ['-W', 'ignore', SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
    const files = { 'bird.png': PNG, 'moving.gif': gif(), 'film.mp4': video };
    const encoded = Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]);
    script.stdin.end(
      JSON.stringify({ ...APP, ...ALICE_KEYS, port: server.port, files: Object.fromEntries(encoded) }),
    );
    outcome = JSON.parse(await text(script.stdout)) as Record<string, unknown>;
  });

  afterAll(() => server?.close());

  test('API.media_upload uploads a photo in one request, which create_media_metadata describes', () => {
    const shown = { width: 30, height: 20, alt_text: 'A bird', type: 'photo' };
    const image = { image_type: 'image/png', w: 30, h: 20 };
    expect(outcome['photo']).toMatchObject([image, PNG.length, true, shown]);
  });

  test('API.media_upload uploads photos in chunks, and animations', () => {
    expect(outcome['chunked']).toMatchObject({ type: 'photo', width: 30 });
    expect(outcome['moving']).toMatchObject({ type: 'animated_gif', width: 8 });
  });

  test('API.media_upload waits for a video to be processed', () => {
    expect(outcome['video']).toMatchObject(['succeeded', { type: 'video', duration_ms: 1_500 }]);
  });

  test('API.media_upload raises BadRequest for a video without a category (docs/api/errors.md#problems)', () => {
    expect(outcome['refusal']).toEqual([[324], [expect.stringContaining('media_category')]]);
  });
});
