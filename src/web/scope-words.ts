import { SCOPES, type AccessLevel, type Permission, type Track, type Scope } from '../core/access.js';

/** Display names of permissions, access levels and tracks. */
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  read: 'Read',
  read_write: 'Read and write',
  read_write_dm: 'Read, write and direct messages',
};

export const LEVEL_WORDS: Readonly<Record<AccessLevel, string>> = {
  essential: 'Essential',
  basic: 'Basic',
  elevated: 'Elevated',
};

export const TRACK_WORDS: Readonly<Record<Track, string>> = {
  standard: 'Standard',
  academic_research: 'Academic research',
};

/** Descriptions of the scopes on consent pages (docs/api/authentication.md#scopes). */
const WORDS: Readonly<Record<Scope, string>> = {
  'tweet.read': 'See all posts that you can see, including those of protected accounts',
  'tweet.write': 'Post, repost and delete posts for you',
  'tweet.moderate.write': 'Hide and unhide replies to your posts',
  'users.read': 'See any account that you can see, including protected ones',
  'users.email': 'See the email address of your account',
  'follows.read': 'See who you follow and who follows you',
  'follows.write': 'Follow and unfollow people for you',
  'mute.read': 'See who you have muted',
  'mute.write': 'Mute and unmute people for you',
  'block.read': 'See who you have blocked',
  'block.write': 'Block and unblock people for you',
  'like.read': 'See which posts you like and who likes yours',
  'like.write': 'Like and unlike posts for you',
  'list.read': 'See your Lists, including private ones, and those that you follow',
  'list.write': 'Create, change and delete Lists for you',
  'bookmark.read': 'See your bookmarks',
  'bookmark.write': 'Add and remove bookmarks for you',
  'space.read': 'See all Spaces that you can see',
  'dm.read': 'Read your direct messages',
  'dm.write': 'Send and delete direct messages for you',
  'media.write': 'Upload pictures and videos for you',
  'timeline.read': 'See your home timeline',
  'offline.access': 'Stay connected until you revoke access',
};

/** Returns the descriptions in the order of the reference, whatever order was requested. */
export function wordsOfScopes(scopes: readonly Scope[]): string[] {
  return SCOPES.filter((scope) => scopes.includes(scope)).map((scope) => WORDS[scope]);
}

/** Returns the sensitive rights that the scopes do not include. */
export function limitsOfScopes(scopes: readonly Scope[]): string[] {
  const limits: string[] = [];
  if (!scopes.includes('tweet.write')) limits.push('Post for you');
  if (!scopes.some((scope) => scope.startsWith('dm.'))) limits.push('Read or send direct messages');
  return limits;
}

const READ = [
  'See posts that you can see, including those of protected accounts',
  'See your profile, your Lists and bookmarks, and who you follow, mute and block',
];
const WRITE = [
  'Post, repost, like and delete posts and hide replies for you',
  'Follow, mute and block people for you',
  'Change your Lists and bookmarks for you',
];
const MESSAGES = ['Read, send and delete direct messages for you'];

/** Returns descriptions of an OAuth 1.0a permission (docs/api/authentication.md#permissions). */
export function wordsOfPermission(permission: Permission): string[] {
  switch (permission) {
    case 'read':
      return READ;
    case 'read_write':
      return [...READ, ...WRITE];
    case 'read_write_dm':
      return [...READ, ...WRITE, ...MESSAGES];
  }
}

/** Returns the sensitive rights that a permission does not include. */
export function limitsOfPermission(permission: Permission): string[] {
  switch (permission) {
    case 'read':
      return ['Post or change anything for you', 'Read or send direct messages'];
    case 'read_write':
      return ['Read or send direct messages'];
    case 'read_write_dm':
      return [];
  }
}
