import type { UserId } from '../../core/ids.js';
import { flag } from '../../core/json-schema.js';
import type { RateLimit } from '../../limits/rate-limit.js';
import { publicRead, userRead, type AnyEndpoint, perQuarterHour } from '../endpoint.js';
import { dataSchema } from '../schemas/envelopes.js';
import { actionPair, userTarget } from './action-pair.js';
import { ofCaller, ofUser, ownedPage, users } from './owned-page.js';

/** See docs/api/people.md#follows-blocks-and-mutes. */

const DAY_SECONDS = 86_400;
/** The limits of a day for follows; those of a user are common to both versions. */
export const FOLLOWS_A_DAY: readonly RateLimit[] = [
  { per: 'user', limit: 400, windowSeconds: DAY_SECONDS, pool: 'follows' },
  { per: 'app-users', limit: 1000, windowSeconds: DAY_SECONDS },
];
export const UNFOLLOWS_A_DAY: RateLimit = { per: 'app-users', limit: 500, windowSeconds: DAY_SECONDS };

const page = { min: 1, max: 1000, default: 100 } as const;
const writeLimits = perQuarterHour({ user: 50 });

/** Both lists of a protected account are visible to its followers (docs/api/objects.md#visibility). */
const followList = {
  tag: 'Follows',
  access: publicRead('follows.read'),
  rateLimits: perQuarterHour({ app: 15, user: 15 }),
  page,
};

const follows: readonly AnyEndpoint[] = [
  ownedPage(ofUser, users, {
    ...followList,
    operationId: 'usersIdFollowers',
    summary: 'The followers of the user, newest first',
    path: '/2/users/{id}/followers',
    list: (context, { params }, request) => context.relations.listFollowers(params.id, request),
  }),
  ownedPage(ofUser, users, {
    ...followList,
    operationId: 'usersIdFollowing',
    summary: 'The users that the user follows, newest first',
    path: '/2/users/{id}/following',
    list: (context, { params }, request) => context.relations.listFollowed(params.id, request),
  }),
  ...actionPair<UserId>(userTarget, {
    tag: 'Follows',
    scope: 'follows.write',
    flag: 'following',
    list: 'following',
    does: {
      operationId: 'usersIdFollow',
      summary: 'Follows a user, or sends a follow request to a protected one',
      rateLimits: [...writeLimits, ...FOLLOWS_A_DAY],
      response: dataSchema({ following: flag, pending_follow: flag }),
      run: async (context, principal, id) => {
        const isPending = (await context.relations.follow(principal, id)) === 'pending';
        return { following: !isPending, pending_follow: isPending };
      },
    },
    undoes: {
      operationId: 'usersIdUnfollow',
      summary: 'Unfollows a user, or withdraws a follow request',
      rateLimits: [...writeLimits, UNFOLLOWS_A_DAY],
      run: (context, principal, id) => context.relations.unfollow(principal, id),
    },
  }),
];

const blocks: readonly AnyEndpoint[] = [
  ownedPage(ofCaller, users, {
    operationId: 'usersIdBlocking',
    tag: 'Blocks',
    summary: 'The users that the user blocks, newest block first',
    path: '/2/users/{id}/blocking',
    access: { ...userRead('block.read'), ownId: 'id' },
    rateLimits: perQuarterHour({ user: 15 }),
    page,
    list: (context, { params }, request) => context.relations.listBlocked(params.id, request),
  }),
  ...actionPair<UserId>(userTarget, {
    tag: 'Blocks',
    scope: 'block.write',
    flag: 'blocking',
    list: 'blocking',
    rateLimits: writeLimits,
    does: {
      operationId: 'usersIdBlock',
      summary: 'Blocks a user and removes follows and follow requests between the two',
      removes: true,
      run: (context, principal, id) => context.relations.block(principal, id),
    },
    undoes: {
      operationId: 'usersIdUnblock',
      summary: 'Unblocks a user; removed follows are not restored',
      run: (context, principal, id) => context.relations.unblock(principal, id),
    },
  }),
];

const mutes: readonly AnyEndpoint[] = [
  ownedPage(ofCaller, users, {
    operationId: 'usersIdMuting',
    tag: 'Mutes',
    summary: 'The users that the user mutes, newest mute first',
    path: '/2/users/{id}/muting',
    access: { ...userRead('mute.read'), ownId: 'id' },
    rateLimits: perQuarterHour({ user: 15 }),
    page,
    list: (context, { params }, request) => context.relations.listMuted(params.id, request),
  }),
  ...actionPair<UserId>(userTarget, {
    tag: 'Mutes',
    scope: 'mute.write',
    flag: 'muting',
    list: 'muting',
    rateLimits: writeLimits,
    does: {
      operationId: 'usersIdMute',
      summary: 'Mutes a user without notification',
      run: (context, principal, id) => context.relations.mute(principal, id),
    },
    undoes: {
      operationId: 'usersIdUnmute',
      summary: 'Unmutes a user',
      run: (context, principal, id) => context.relations.unmute(principal, id),
    },
  }),
];

/** Accounts are not affiliated with others here (docs/api/differences.md). */
const affiliates = ownedPage(ofUser, users, {
  operationId: 'getUsersAffiliates',
  tag: 'User lookup',
  summary: 'The affiliates of the user; the list is always empty',
  path: '/2/users/{id}/affiliates',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 900 }),
  page,
  list: async () => ({ items: [] }),
});

export const relationEndpoints: readonly AnyEndpoint[] = [...follows, ...blocks, ...mutes, affiliates];
