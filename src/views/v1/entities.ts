import type { Entities, MentionEntity, TagEntity, UrlEntity } from '../../core/entities.js';
import type { UserId } from '../../core/ids.js';
import type { User } from '../../core/user.js';

/** Users by their ids, for the names of those mentioned. */
export type UsersById = Pick<ReadonlyMap<UserId, User>, 'get'>;

interface Span {
  readonly start: number;
  readonly end: number;
}

const indicesOf = ({ start, end }: Span) => [start, end] as const;

/**
 * Returns entities in the v1.1 format. Links of attached media are left out: they are entities of their own
 * (media.ts).
 */
export function presentEntitiesV1(entities: Entities | undefined, users: UsersById) {
  const { hashtags = [], cashtags = [], mentions = [], urls = [] } = entities ?? {};
  return {
    hashtags: hashtags.map(presentTag),
    symbols: cashtags.map(presentTag),
    user_mentions: mentions.map((mention) => presentMention(mention, users)),
    urls: urls.filter(({ media_key }) => media_key === undefined).map(presentLinkV1),
  };
}

export type EntitiesV1 = ReturnType<typeof presentEntitiesV1>;

function presentTag(entity: TagEntity) {
  return { text: entity.tag, indices: indicesOf(entity) };
}

function presentMention(entity: MentionEntity, users: UsersById) {
  const id = entity.id === undefined ? undefined : (BigInt(entity.id) as UserId);
  const user = id === undefined ? undefined : users.get(id);
  return {
    screen_name: entity.username,
    name: user?.name ?? entity.username,
    id: id ?? null,
    id_str: entity.id ?? null,
    indices: indicesOf(entity),
  };
}

export function presentLinkV1({ url, expanded_url = url, display_url = url, ...span }: UrlEntity) {
  return { url, expanded_url, display_url, indices: indicesOf(span) };
}
