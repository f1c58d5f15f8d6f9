import type { PostId } from '../../core/ids.js';
import type { RateLimit } from '../../limits/rate-limit.js';
import { publicRead, type AnyEndpoint, perQuarterHour } from '../endpoint.js';
import { actionPair, postTarget } from './action-pair.js';
import { actors, ofPost, ofUser, ownedPage, posts } from './owned-page.js';

/** See docs/api/timelines.md#likes-and-bookmarks. */

/** The common limit for likes and unlikes of a user. */
export const LIKES_A_DAY: RateLimit = {
  per: 'user',
  limit: 1000,
  windowSeconds: 24 * 60 * 60,
  pool: 'likes and unlikes',
};

const read = {
  tag: 'Likes',
  access: publicRead('like.read'),
  rateLimits: perQuarterHour({ app: 75, user: 75 }),
};

export const likeEndpoints: readonly AnyEndpoint[] = [
  ownedPage(ofPost, actors, {
    ...read,
    operationId: 'tweetsIdLikingUsers',
    summary: 'The users who like a post, newest like first',
    path: '/2/tweets/{id}/liking_users',
    list: ({ likes }, { params }, page) => likes.listLikers(params.id, page),
  }),
  ownedPage(ofUser, posts, {
    ...read,
    operationId: 'usersIdLikedTweets',
    summary: 'The posts that a user likes, newest like first',
    path: '/2/users/{id}/liked_tweets',
    capped: true,
    page: { min: 5, max: 100, default: 100 },
    list: ({ likes }, { params }, page) => likes.listLiked(params.id, page),
  }),
  ...actionPair<PostId>(postTarget, {
    tag: read.tag,
    scope: 'like.write',
    flag: 'liked',
    list: 'likes',
    rateLimits: [...perQuarterHour({ user: 50 }), LIKES_A_DAY],
    does: {
      operationId: 'usersIdLike',
      summary: 'Likes a post',
      run: ({ likes }, principal, id) => likes.add(principal, id),
    },
    undoes: {
      operationId: 'usersIdUnlike',
      summary: 'Removes a like; idempotent',
      run: ({ likes }, principal, id) => likes.remove(principal, id),
    },
  }),
];
