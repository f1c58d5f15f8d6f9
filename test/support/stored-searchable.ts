import { mediaIdOfKey, NO_POST_COUNTS, type Post } from '../../src/core/post.js';
import type { PostId } from '../../src/core/ids.js';
import type { Point } from '../../src/query/geo.js';
import type { Queryable } from '../../src/database/engine.js';
import { findMedia } from '../../src/stores/media.js';
import { findPlaces } from '../../src/stores/places.js';
import { findPostCounts, pagePosts } from '../../src/stores/posts.js';
import { findUsers } from '../../src/stores/users.js';
import type { SearchablePost, SearchableUser } from './naive-search.js';

type WireContext = { domain?: { id?: string }; entity?: { id?: string; name?: string } };

/** Reads every public post in the form of the naive evaluator. */
export async function storedSearchable(db: Queryable): Promise<SearchablePost[]> {
  const posts = await pagePosts(db, -1n as PostId, 1_000_000);
  const byId = new Map(posts.map((post) => [post.id, post]));
  const users = await findUsers(db, [
    ...new Set(
      posts.flatMap((post) => [post.authorId, ...(post.inReplyToUserId ? [post.inReplyToUserId] : [])]),
    ),
  ]);
  const media = await findMedia(db, posts.flatMap(mediaIdsOf));
  const places = await findPlaces(
    db,
    posts.flatMap((post) => post.placeId ?? []),
  );
  const counts = await findPostCounts(
    db,
    posts.map(({ id }) => id),
  );
  const userOf = (id: Post['authorId']): SearchableUser => ({ id, username: users.get(id)?.username ?? '' });
  const isPublic = (post: Post): boolean => !users.get(post.authorId)?.protected;

  return posts
    .filter((post) => isNewest(post) && isPublic(post))
    .flatMap((post): SearchablePost[] => {
      const original = post.repostedPostId === undefined ? undefined : byId.get(post.repostedPostId);
      if (original && !isPublic(original)) return [];
      const content = original ?? post;
      const { entities, contextAnnotations = [] } = content.detail;
      const place = content.placeId === undefined ? undefined : places.get(content.placeId);
      return [
        {
          id: post.id,
          text: content.text,
          lang: post.lang,
          author: {
            ...userOf(post.authorId),
            verified: users.get(post.authorId)?.verified ?? false,
            listIds: [],
          },
          conversationId: post.conversationId,
          nullcast: post.nullcast,
          inReplyToUser: post.inReplyToUserId && userOf(post.inReplyToUserId),
          repliedToPostId: post.inReplyToPostId,
          quotedPostId: post.quotedPostId,
          reposted:
            post.repostedPostId === undefined
              ? undefined
              : {
                  postId: post.repostedPostId,
                  author: original ? userOf(original.authorId) : { id: -1n, username: '' },
                },
          hashtags: (entities?.hashtags ?? []).map(({ tag }) => tag),
          cashtags: (entities?.cashtags ?? []).map(({ tag }) => tag),
          mentions: (entities?.mentions ?? []).map(({ username }) => username),
          urls: (entities?.urls ?? []).map((url) => ({
            url: url.url,
            expandedUrl: url.expanded_url,
            unwoundUrl: url.unwound_url,
          })),
          media: mediaIdsOf(content).flatMap((id) => media.get(id)?.type ?? []),
          annotations: (entities?.annotations ?? []).map((annotation) => annotation.normalized_text),
          contexts: (contextAnnotations as WireContext[]).map(({ domain, entity }) => ({
            domainId: domain?.id ?? '',
            entityId: entity?.id ?? '',
            entityName: entity?.name,
          })),
          place: place && {
            ...place,
            box: place.geo?.['bbox'] as readonly [number, number, number, number] | undefined,
          },
          coordinates: content.detail.coordinates?.coordinates as Point | undefined,
          counts: counts.get(post.id) ?? NO_POST_COUNTS,
        },
      ];
    });
}

function isNewest({ id, detail: { editHistory } }: Post): boolean {
  return editHistory === undefined || editHistory.at(-1) === String(id);
}

function mediaIdsOf({ detail }: Post) {
  return (detail.mediaKeys ?? []).map(mediaIdOfKey);
}
