import type { WireObject } from '../archive/wire-json.js';

/** The kinds of objects that answers show, with the member that is their key. */
export const OBJECT_KEYS = {
  users: 'id',
  posts: 'id',
  media: 'media_key',
  polls: 'id',
  places: 'id',
  lists: 'id',
  spaces: 'id',
  topics: 'id',
  messages: 'id',
} as const;
export type ObjectKind = keyof typeof OBJECT_KEYS;

/** Objects of v2 by kind. */
export type AnswerObjects = Partial<Readonly<Record<ObjectKind, readonly WireObject[]>>>;
