import type { UserPrincipal } from '../../core/access.js';
import type { UserId } from '../../core/ids.js';
import { object, ref, schemaOf, text } from '../../core/json-schema.js';
import type { Cursor, Page, PageRequest } from '../../core/page.js';
import type { ApiContext } from '../context.js';
import { endpoint, perQuarterHour, type AnyEndpoint } from '../endpoint.js';
import { FOLLOWS_A_DAY, UNFOLLOWS_A_DAY } from '../routes/relations.js';
import type { ParamValues } from '../params/params.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, READ_V1, USER_WRITE_V1 } from './endpoint-v1.js';
import { findNamedUser, userParams } from './named-user.js';
import { flagParam, sizeParam, textV1Param } from './params.js';
import { refusedV1, requireVisibleActivity, withV1Refusals } from './refusals.js';

/** See docs/api/v1.md#follows. */

const common = { ...ENDPOINT_V1, tag: 'Follows, version 1.1' } as const;

/** Ids per page. */
const PAGE_SIZE = 5_000;

const listParams = {
  ...userParams,
  cursor: textV1Param(
    '`-1` for the first page; then `next_cursor` or `previous_cursor` of the page before.',
    '-1',
  ),
  count: sizeParam('The most ids of a page.', PAGE_SIZE, PAGE_SIZE),
  stringify_ids: flagParam('Whether ids are strings.'),
};

const idsPage = object({
  ids: { type: 'array', items: { oneOf: [{ type: 'integer' }, { type: 'string' }] } },
  next_cursor: schemaOf('integer'),
  next_cursor_str: text,
  previous_cursor: schemaOf('integer'),
  previous_cursor_str: text,
});

/** Reads a cursor: a positive one leads to older entries, a negative one to newer ones. */
function cursorOf(sent: string | undefined): Cursor | undefined {
  const [, sign, digits = ''] = /^(-?)(\d{1,19})$/.exec(sent ?? '') ?? [];
  const position = BigInt(digits || 0);
  const isFirst = position === 0n || (sign === '-' && position === 1n);
  if (isFirst || position > 9_223_372_036_854_775_807n) return undefined;
  return { direction: sign === '-' ? 'previous' : 'next', position, extra: [] };
}

type List = (context: ApiContext, id: UserId, request: PageRequest) => Promise<Page<UserId>>;

async function pageOfIds(
  context: ApiContext,
  viewerId: UserId | undefined,
  params: ParamValues<typeof listParams>,
  list: List,
) {
  const id = requireVisibleActivity(await findNamedUser(context, params, viewerId));
  const page = await list(context, id, { limit: params.count, cursor: cursorOf(params.cursor) });
  const ids = await context.views.userIdsV1({ ids: page.items, viewerId });
  const [next, previous] = [page.next?.position ?? 0n, -(page.previous?.position ?? 0n)];
  return answerV1({
    ids: params.stringify_ids ? ids.map(String) : ids,
    next_cursor: next,
    next_cursor_str: String(next),
    previous_cursor: previous,
    previous_cursor_str: String(previous),
  });
}

const lists = {
  ...common,
  access: READ_V1,
  rateLimits: perQuarterHour({ app: 15, user: 15 }),
  params: listParams,
  response: idsPage,
} as const;

const changes = { ...common, access: USER_WRITE_V1, method: 'POST', response: ref('UserV1') } as const;

const noSuchTarget = (status: number) => refusedV1(108, status, 'Cannot find specified user.');

/** Returns the id of the user to follow or unfollow. Throws for oneself, a missing and a suspended user. */
async function requireOther(
  context: ApiContext,
  params: ParamValues<typeof userParams>,
  viewerId: UserId,
  status: number,
): Promise<UserId> {
  const { id, visibility } = await findNamedUser(context, params, viewerId, undefined);
  if (id === undefined || visibility !== 'visible') throw noSuchTarget(status);
  return id;
}

async function follow({ relations }: ApiContext, principal: UserPrincipal, id: UserId): Promise<void> {
  await withV1Refusals(
    () => relations.follow(principal, id),
    () =>
      refusedV1(162, 403, 'You have been blocked from following this account at the request of the user.'),
  );
}

async function answerUser({ views }: ApiContext, viewerId: UserId, id: UserId) {
  const [found] = await views.usersV1({ names: [id], viewerId });
  return answerV1(found?.user ?? null);
}

export const relationV1Endpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...lists,
    operationId: 'followerIdsV1',
    summary: 'The ids of the followers of a user, newest first',
    path: '/1.1/followers/ids.json',
    handler: (context, { principal, params }) =>
      pageOfIds(context, viewerOf(principal), params, ({ relations }, id, page) =>
        relations.listFollowers(id, page),
      ),
  }),
  endpoint({
    ...lists,
    operationId: 'friendIdsV1',
    summary: 'The ids of the users that a user follows, newest first',
    path: '/1.1/friends/ids.json',
    handler: (context, { principal, params }) =>
      pageOfIds(context, viewerOf(principal), params, ({ relations }, id, page) =>
        relations.listFollowed(id, page),
      ),
  }),
  endpoint({
    ...changes,
    operationId: 'createFriendshipV1',
    summary: 'Follows a user, or sends a follow request to a protected one',
    path: '/1.1/friendships/create.json',
    rateLimits: [...perQuarterHour({ user: 400 }), ...FOLLOWS_A_DAY],
    params: { ...userParams, follow: flagParam('Without effect: there are no notifications to devices.') },
    handler: async (context, { principal, params }) => {
      const id = await requireOther(context, params, principal.userId, 403);
      const [before] = await context.views.usersV1({ names: [id], viewerId: principal.userId });
      if (before?.user?.follow_request_sent === true) {
        const name = String(before.user.screen_name);
        throw refusedV1(160, 403, `You've already requested to follow ${name}.`);
      }
      await follow(context, principal, id);
      return answerUser(context, principal.userId, id);
    },
  }),
  endpoint({
    ...changes,
    operationId: 'destroyFriendshipV1',
    summary: 'Unfollows a user, or withdraws a follow request',
    path: '/1.1/friendships/destroy.json',
    rateLimits: [...perQuarterHour({ user: 500 }), UNFOLLOWS_A_DAY],
    params: userParams,
    handler: async (context, { principal, params }) => {
      const id = await requireOther(context, params, principal.userId, 404);
      await context.relations.unfollow(principal, id);
      return answerUser(context, principal.userId, id);
    },
  }),
];
