import { expect, it } from 'vitest';
import { wordsOfPermission } from './scope-words.js';

it.each([
  ['read', ['posts', 'Lists', 'bookmarks', 'follow', 'mute', 'block']],
  [
    'read_write',
    ['Post, repost', 'hide replies', 'Follow, mute and block', 'Change your Lists and bookmarks'],
  ],
  ['read_write_dm', ['Read, send and delete direct messages', 'Change your Lists and bookmarks']],
] as const)('the words for the OAuth 1.0a permission %s are complete', (permission, parts) => {
  const words = wordsOfPermission(permission).join('\n');
  for (const part of parts) expect(words).toContain(part);
  expect(words.includes('Change')).toBe(permission !== 'read');
  expect(words.includes('messages')).toBe(permission === 'read_write_dm');
});
