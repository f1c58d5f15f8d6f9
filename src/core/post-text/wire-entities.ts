import type { Entities, MentionEntity, TagEntity, UrlEntity } from '../entities.js';
import { escapedOffsets } from './escape.js';
import type { TextEntities, TextSpan } from './extract.js';

/** A mentioned account: its id as on the wire, and its username as its owner spells it. */
export interface MentionedUser {
  readonly id: string;
  readonly username: string;
}

/** Code points of a link's path that are displayed, as measured on real posts; hosts are never truncated. */
const MAX_DISPLAYED_PATH = 15;

/**
 * Returns the entities of a raw text in wire format, with offsets in the escaped text (docs/api/objects.md#entities),
 * or undefined if there are none. A mention is included only if `mentioned` has its lower-case username; mentions of
 * Lists never are. A link's `url` is the raw text as written.
 */
export function toWireEntities(
  text: string,
  entities: TextEntities,
  mentioned: ReadonlyMap<string, MentionedUser>,
): Entities | undefined {
  const offset = escapedOffsets(text);
  const mentions = entities.mentions.flatMap((mention): MentionEntity[] => {
    const user = mention.listSlug === undefined ? mentioned.get(mention.username.toLowerCase()) : undefined;
    return user === undefined
      ? []
      : [{ start: offset(mention.start), end: offset(mention.end), username: user.username, id: user.id }];
  });
  const tags = (list: TextEntities['hashtags']): TagEntity[] =>
    list.map(({ start, end, tag }) => ({ start: offset(start), end: offset(end), tag }));
  const wire: Entities = {
    ...ifAny('cashtags', tags(entities.cashtags)),
    ...ifAny('hashtags', tags(entities.hashtags)),
    ...ifAny('mentions', mentions),
    ...ifAny(
      'urls',
      entities.urls.map(({ start, end, url }) => ({
        start: offset(start),
        end: offset(end),
        ...wireUrl(url),
      })),
    ),
  };
  return Object.keys(wire).length === 0 ? undefined : wire;
}

/**
 * Returns a link as posts display it: without scheme and "www."; path, query and fragment truncated to 15 characters
 * and an ellipsis if that saves more than one character; no slash after a bare host.
 */
export function displayUrl(url: string): string {
  const shown = url.replace(/^https?:\/\//i, '').replace(/^www\./i, '');
  const hostLength = shown.search(/[/?#]|$/);
  const path = [...shown.slice(hostLength)];
  if (path.length === 1 && path[0] === '/') return shown.slice(0, hostLength);
  if (path.length <= MAX_DISPLAYED_PATH + 1) return shown;
  return `${shown.slice(0, hostLength)}${path.slice(0, MAX_DISPLAYED_PATH).join('')}…`;
}

function wireUrl(url: string): Omit<UrlEntity, keyof TextSpan> {
  const expanded = /^https?:\/\//i.test(url) ? url : `http://${url}`;
  return { url, expanded_url: expanded, display_url: displayUrl(url) };
}

function ifAny<Key extends keyof Entities, Item>(key: Key, items: Item[]): { [K in Key]?: Item[] } {
  return items.length === 0 ? {} : ({ [key]: items } as { [K in Key]: Item[] });
}
