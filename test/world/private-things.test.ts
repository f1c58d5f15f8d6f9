import { test } from 'vitest';
import { APP, POSTS } from '../support/world.js';
import { createRefuser, type Refusal } from './refusals.js';

const { expectRefusal } = createRefuser();

const FOLDER = { id: '71', user: 'alice', name: 'Herons' };
const RULE = { id: '81', app: APP.id, value: 'heron' };

const REFUSALS: readonly Refusal[] = [
  [
    'folders have a name',
    { bookmark_folders: [{ ...FOLDER, name: ' ' }] },
    '$.bookmark_folders[0].name',
    /must/,
  ],
  [
    'names of folders have at most 25 characters',
    { bookmark_folders: [{ ...FOLDER, name: 'x'.repeat(26) }] },
    '$.bookmark_folders[0].name',
    /it has 26/,
  ],
  [
    'users of folders exist',
    { bookmark_folders: [{ ...FOLDER, user: 'nobody' }] },
    '$.bookmark_folders[0].user',
    /no user "nobody"/,
  ],
  [
    'posts of folders exist',
    { bookmark_folders: [{ ...FOLDER, posts: [POSTS.hello, '77'] }] },
    '$.bookmark_folders[0].posts[1]',
    /no post 77/,
  ],
  [
    'folders have ids of their own',
    { bookmark_folders: [FOLDER, FOLDER] },
    '$.bookmark_folders[1].id',
    /stands at/,
  ],
  [
    'nobody blocks the own messages',
    { dm_blocks: [{ from: 'bob', to: 'Bob' }] },
    '$.dm_blocks[0].to',
    /is @bob/,
  ],
  ['users of blocks exist', { dm_blocks: [{ from: 'bob', to: 'nobody' }] }, '$.dm_blocks[0].to', /no user/],
  ['apps of rules exist', { stream_rules: [{ ...RULE, app: '9' }] }, '$.stream_rules[0].app', /no app 9/],
  [
    'rules are well-formed',
    { stream_rules: [{ ...RULE, value: '(heron' }] },
    '$.stream_rules[0].value',
    /is no rule: /,
  ],
  ['rules are not empty', { stream_rules: [{ ...RULE, value: '' }] }, '$.stream_rules[0].value', /must/],
  [
    'an app has a rule once',
    { stream_rules: [RULE, { ...RULE, id: '82' }] },
    '$.stream_rules[1].value',
    /stands at \$\.stream_rules\[0\]\.value already/,
  ],
];

test.each(REFUSALS)('%s', (_rule, document, path, reason) => expectRefusal(document, path, reason));
