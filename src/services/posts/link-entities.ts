import type { UrlEntity } from '../../core/entities.js';
import { escapeText } from '../../core/post-text/escape.js';
import { extractEntities } from '../../core/post-text/extract.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import { toWireEntities } from '../../core/post-text/wire-entities.js';
import type { Lookups } from '../../stores/lookups.js';
import type { AppendedLink } from './compose-text.js';

/**
 * Extracts the entities of a stored text. Handles of existing accounts become mentions; appended links become URLs.
 * `typed` is the typed part of the text, if its entities are known.
 */
export async function linkEntities(
  { users, userIds }: Pick<Lookups, 'users' | 'userIds'>,
  text: string,
  links: readonly AppendedLink[],
  typed?: TypedText,
) {
  const appended = links.map((link) => ` ${link.url}`).join('');
  const body = text.endsWith(appended) ? text.slice(0, text.length - appended.length) : '';
  const found = body === typed?.text ? typed.entities : extractEntities(body);
  const ids = await userIds.load(found.mentions.map((mention) => mention.username.toLowerCase()));
  await users.load(ids.values());
  const accounts = new Map<string, { id: string; username: string }>();
  for (const [name, id] of ids) {
    accounts.set(name, { id: String(id), username: users.get(id)?.username ?? name });
  }
  const entities = toWireEntities(body, found, accounts);
  const urls = appendedUrls(body, links);
  return {
    entities: urls.length === 0 ? entities : { ...entities, urls: [...(entities?.urls ?? []), ...urls] },
    mentionedIds: new Set(ids.values()),
  };
}

/** Returns the entities of links that are appended to a text. */
export function appendedUrls(body: string, links: readonly AppendedLink[]): UrlEntity[] {
  let start = Array.from(escapeText(body)).length + (body === '' ? 0 : 1);
  return links.flatMap((link) => {
    const end = start + link.url.length;
    const entity = { start, end, url: link.url, expanded_url: link.url, display_url: link.displayUrl };
    start = end + 1;
    return link.mediaKeys.length === 0
      ? [entity]
      : link.mediaKeys.map((key) => ({ ...entity, media_key: key }));
  });
}
