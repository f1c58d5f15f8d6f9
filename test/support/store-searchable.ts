import type { Entities } from '../../src/core/entities.js';
import type { EdgeId, ListId, MediaId, PostId, UserId } from '../../src/core/ids.js';
import type { Post } from '../../src/core/post.js';
import type { User } from '../../src/core/user.js';
import { timeOfId } from '../../src/core/snowflake.js';
import type { Engine, Tx } from '../../src/database/engine.js';
import { insertListMember } from '../../src/stores/list-users.js';
import { insertList } from '../../src/stores/lists.js';
import { insertMedia } from '../../src/stores/media.js';
import { insertPlace } from '../../src/stores/places.js';
import { insertPosts, putPostCounts } from '../../src/stores/posts.js';
import { insertUser } from '../../src/stores/users.js';
import type { SearchablePost, SearchableUser } from './naive-search.js';

/** The creation time of posts whose ids carry no time. */
export const UNTIMED_MS = Date.UTC(2015, 0, 1);

/**
 * Stores posts given as the naive evaluator describes them. The originals of reposts must be included; the row of a
 * repost has a shortened text, no entities and no place, as in the API.
 */
export async function storeSearchable(engine: Engine, posts: readonly SearchablePost[]): Promise<void> {
  await engine.tx('store', async (tx) => {
    await Promise.all([...usersOf(posts)].map((user) => storeUser(tx, user)));
    for (const id of new Set(posts.flatMap(({ author }) => author.listIds))) {
      await insertList(tx, {
        id: id as ListId,
        ownerId: 1n as UserId,
        name: `list ${id}`,
        description: '',
        private: false,
        createdAtMs: 0,
      });
    }
    const members = new Map(posts.map(({ author }) => [author.id, author]));
    for (const author of members.values()) {
      for (const listId of author.listIds) {
        await insertListMember(tx, listId as ListId, author.id as UserId, author.id as EdgeId);
      }
    }
    let mediaId = 1n;
    const stored = posts.map(async (post) => {
      const media = (post.reposted === undefined ? post.media : []).map((type) => {
        const id = mediaId++ as MediaId;
        return { id, mediaKey: `3_${id}`, type, createdAtMs: 0 };
      });
      await Promise.all(media.map((each) => insertMedia(tx, each)));
      await storePost(
        tx,
        post,
        media.map(({ mediaKey }) => mediaKey),
      );
    });
    await Promise.all(stored);
  });
}

type StoredUser = SearchableUser & { readonly verified: boolean };

function usersOf(posts: readonly SearchablePost[]): Iterable<StoredUser> {
  const users = new Map<bigint, StoredUser>();
  for (const post of posts) {
    for (const user of [post.inReplyToUser, post.reposted?.author]) {
      if (user && !users.has(user.id)) users.set(user.id, { ...user, verified: false });
    }
    users.set(post.author.id, post.author);
  }
  return users.values();
}

async function storeUser(tx: Tx, user: StoredUser): Promise<void> {
  const stored: User = {
    id: user.id as UserId,
    username: user.username,
    name: user.username,
    createdAtMs: 0,
    description: '',
    protected: false,
    verified: user.verified,
    allowsPhotoTagging: true,
    receivesDms: 'everyone',
    suspended: false,
  };
  await insertUser(tx, stored);
}

async function storePost(tx: Tx, post: SearchablePost, mediaKeys: readonly string[]): Promise<void> {
  const { reposted } = post;
  const { place, coordinates } = reposted ? {} : post;
  if (place) {
    await insertPlace(tx, { ...place, geo: place.box && { type: 'Feature', bbox: place.box } });
  }
  const stored: Post = {
    id: post.id as PostId,
    authorId: post.author.id as UserId,
    createdAtMs: timeOfId(post.id) ?? UNTIMED_MS,
    conversationId: post.conversationId as PostId,
    text: reposted ? `RT @${reposted.author.username}: ${post.text.slice(0, 10)}…` : post.text,
    lang: post.lang,
    inReplyToPostId: post.repliedToPostId as PostId | undefined,
    inReplyToUserId: post.inReplyToUser?.id as UserId | undefined,
    quotedPostId: post.quotedPostId as PostId | undefined,
    repostedPostId: reposted?.postId as PostId | undefined,
    replySettings: 'everyone',
    superFollowersOnly: false,
    possiblySensitive: false,
    nullcast: post.nullcast,
    placeId: place?.id,
    detail: {
      mediaKeys: mediaKeys.length > 0 ? mediaKeys : undefined,
      coordinates: coordinates && { type: 'Point', coordinates },
      ...(reposted === undefined && { entities: entitiesOf(post), contextAnnotations: contextsOf(post) }),
    },
  };
  await insertPosts(tx, [stored]);
  await putPostCounts(tx, new Map([[stored.id, { ...post.counts, quotes: 0, bookmarks: 0 }]]));
}

const SPAN = { start: 0, end: 1 };

function entitiesOf(post: SearchablePost): Entities {
  return {
    hashtags: post.hashtags.map((tag) => ({ ...SPAN, tag })),
    cashtags: post.cashtags.map((tag) => ({ ...SPAN, tag })),
    mentions: post.mentions.map((username) => ({ ...SPAN, username })),
    urls: post.urls.map(({ url, expandedUrl, unwoundUrl }) => ({
      ...SPAN,
      url,
      expanded_url: expandedUrl,
      unwound_url: unwoundUrl,
    })),
    annotations: post.annotations.map((name) => ({
      ...SPAN,
      probability: 1,
      type: 'Person',
      normalized_text: name,
    })),
  };
}

function contextsOf({ contexts }: SearchablePost): unknown[] {
  return contexts.map(({ domainId, entityId, entityName }) => ({
    domain: { id: domainId },
    entity: { id: entityId, name: entityName },
  }));
}
