import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readWorld, worldSchema } from '../../src/world/document.js';
import { WorldFaults } from '../../src/world/faults.js';
import { formatted } from '../support/formatted.js';
import { standardWorld } from '../support/world.js';
import { compileWorldSchema } from '../support/world-schema.js';

const ROOT = join(import.meta.dirname, '..', '..');
const SCHEMA_FILE = join(ROOT, 'docs', 'world-file.schema.json');

const validate = compileWorldSchema();

test('docs/world-file.schema.json is generated from the loader', async () => {
  const text = await formatted(SCHEMA_FILE, JSON.stringify(worldSchema()));
  await expect(text).toMatchFileSnapshot(SCHEMA_FILE);
});

test('the schema accepts every world in examples/ and the world of the tests', async () => {
  const folder = join(ROOT, 'examples');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  expect(names).not.toEqual([]);
  for (const name of names) {
    validate(JSON.parse(await readFile(join(folder, name), 'utf8')));
    expect(validate.errors, name).toBeNull();
  }
  validate({ $schema: '../docs/world-file.schema.json', ...standardWorld() });
  expect(validate.errors).toBeNull();
});

const USER = { id: '1', username: 'erin', name: 'Erin' };
const POST = { id: '5', author: 'erin', text: 'new' };
const TOKEN = { app: '1', user: 'erin', kind: 'oauth2', access_token: 'x' };

test.each([
  [[]],
  [{ user: [] }],
  [{ users: {} }],
  [{ users: ['erin'] }],
  [{ users: [{ ...USER, nmae: 'x' }] }],
  [{ users: [{ id: '1', name: 'Erin' }] }],
  [{ users: [{ ...USER, id: 1 }] }],
  [{ users: [{ ...USER, id: '01' }] }],
  [{ users: [{ ...USER, username: 'a b' }] }],
  [{ users: [{ ...USER, name: '' }] }],
  [{ users: [{ ...USER, protected: 'yes' }] }],
  [{ users: [{ ...USER, verified_type: 'golden' }] }],
  [{ users: [{ ...USER, created_at: '2022-01-01' }] }],
  [{ follows: [{ from: 'a' }] }],
  [{ posts: [{ ...POST, media: ['x'] }] }],
  [{ posts: [{ ...POST, media: ['3_1', '3_2', '3_3', '3_4', '3_5'] }] }],
  [{ posts: [{ ...POST, poll: { options: ['a'], duration_minutes: 5 } }] }],
  [{ posts: [{ ...POST, poll: { options: ['a', 'b'], duration_minutes: 4 } }] }],
  [{ media: [{ media_key: '3_77', type: 'photo', width: 1.5 }] }],
  [{ places: [{ id: 'p', bbox: [0, 1] }] }],
  [{ lists: [{ id: '1', owner: 'a', name: '' }] }],
  [{ spaces: [{ id: 'a b', creator: 'a', title: 't', state: 'live' }] }],
  [{ conversations: [{ participants: [], messages: [] }] }],
  [{ conversations: [{ participants: ['a', 'b'], messages: [{ text: 'x' }] }] }],
  [{ apps: [{ id: '1' }] }],
  [{ tokens: [{ ...TOKEN, scopes: ['fly'] }] }],
  [{ tokens: [{ ...TOKEN, kind: 'oauth3', scopes: ['tweet.read'] }] }],
  [{ $schema: 1 }],
])('schema and loader both refuse %j', (document) => {
  const faults = new WorldFaults();
  readWorld(document, faults);
  expect(() => faults.throwIfAny()).toThrow();
  expect(validate(document)).toBe(false);
});
