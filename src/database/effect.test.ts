import { describe, expect, test } from 'vitest';
import { effectOf } from './effect.js';

describe('the effect of a statement on existing rows', () => {
  test.each([
    ['SELECT * FROM posts', 'none'],
    ['\n    INSERT INTO posts (id) VALUES (?) ON CONFLICT DO NOTHING', 'none'],
    ['INSERT INTO follows (user_id) VALUES (?)', { changes: 'follows' }],
    ['INSERT INTO t (a) VALUES (?) ON CONFLICT (a) DO UPDATE SET b = excluded.b', { changes: 't' }],
    ['\n    UPDATE Users SET name = ? WHERE id = ?', { changes: 'users' }],
    ['DELETE FROM posts WHERE id = ?', { changes: 'posts' }],
    ['REPLACE INTO posts (id) VALUES (?)', { changes: 'posts' }],
    ['WITH x AS (SELECT 1) SELECT * FROM x', 'none'],
    ['WITH x AS (SELECT 1) DELETE FROM posts', 'unknown'],
    ['DROP TABLE posts', 'unknown'],
  ])('%s', (text, effect) => {
    expect(effectOf(text)).toEqual(effect);
  });
});
