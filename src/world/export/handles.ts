import type { Entities } from '../../core/entities.js';
import type { UserId } from '../../core/ids.js';
import { extractEntities } from '../../core/post-text/extract.js';
import { pathNameOf } from '../../core/reserved-usernames.js';
import { entryOf, someOf, type Entry } from './entry.js';
import type { Names } from './names.js';

/** A stored text with what the server found in it. */
interface StoredText {
  readonly text: string;
  readonly entities?: Entities;
}

/** A user whom the beginning of a repost, or a link that the server added, names. */
interface NamedUser {
  readonly name: string;
  readonly userId: UserId;
}

/** Returns the handles of a text that mean another user today, or that are spelt differently (handles.ts). */
export function handlesOf(
  { text, entities }: StoredText,
  names: Names,
  others: readonly (NamedUser | undefined)[] = [],
): readonly Entry[] | undefined {
  const meant = new Map<string, NamedUser>();
  const mentions = (entities?.mentions ?? []).flatMap(({ id, username }) =>
    id === undefined ? [] : [{ name: username, userId: BigInt(id) as UserId }],
  );
  for (const user of [...others, ...mentions]) if (user) meant.set(user.name.toLowerCase(), user);
  const found = extractEntities(text).mentions.filter(({ listSlug }) => listSlug === undefined);
  const keys = new Set([...meant.keys(), ...found.map(({ username }) => username.toLowerCase())]);
  const changed = [...keys].flatMap((key) => {
    const user = meant.get(key);
    if (user === undefined ? names.idOf(key) === undefined : names.find(user.userId) === user.name) return [];
    return [entryOf({ name: user?.name ?? key, user_id: user && String(user.userId) })];
  });
  return someOf(changed);
}

/** The beginning of a repost. */
const REPOST_PREFIX = /^RT @(\w+): /;

/** Returns the user whom the text of a repost names. */
export function namedInRepost(text: string, userId: UserId): NamedUser | undefined {
  const name = REPOST_PREFIX.exec(text)?.[1];
  return name === undefined ? undefined : { name, userId };
}

/** The username in a link to a post. */
const LINKED = /\/(\w+)\/status\/(\d+)/;

/** Returns the user whom a link to a post names, unless the link names nobody. */
export function namedInLink(link: string | undefined, userId: UserId | undefined): NamedUser | undefined {
  const name = LINKED.exec(link ?? '')?.[1];
  return name === undefined || name === pathNameOf(undefined) || userId === undefined
    ? undefined
    : { name, userId };
}
