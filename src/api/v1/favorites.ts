import type { PostId } from '../../core/ids.js';
import { ref } from '../../core/json-schema.js';
import type { ApiContext } from '../context.js';
import { endpoint, perQuarterHour, type AnyEndpoint } from '../endpoint.js';
import { LIKES_A_DAY } from '../routes/likes.js';
import { answerV1, ENDPOINT_V1, formOf, postFormParams, USER_WRITE_V1 } from './endpoint-v1.js';
import { idV1Param } from './params.js';
import { noSuchStatus, refusedV1, requireVisibleStatus, withV1Refusals } from './refusals.js';
import type { ParamValues } from '../params/params.js';
import type { UserPrincipal } from '../../core/access.js';

/** See docs/api/v1.md#likes. */

const params = { id: idV1Param<PostId>('The post.'), ...postFormParams };

const common = {
  ...ENDPOINT_V1,
  tag: 'Likes, version 1.1',
  access: USER_WRITE_V1,
  method: 'POST',
  rateLimits: [...perQuarterHour({ user: 1000 }), LIKES_A_DAY],
  params,
  response: ref('StatusV1'),
} as const;

type FavoriteCall = { readonly principal: UserPrincipal; readonly params: ParamValues<typeof params> };

interface Change {
  /** What the like is before; another state is refused. */
  readonly isLiked: boolean;
  readonly refuse: () => Error;
  readonly run: (context: ApiContext, principal: UserPrincipal, id: PostId) => Promise<void>;
}

const changing =
  ({ isLiked, refuse, run }: Change) =>
  async (context: ApiContext, { principal, params: { id, ...form } }: FavoriteCall) => {
    if (id === undefined) throw noSuchStatus();
    const view = { id, viewerId: principal.userId, form: formOf(form) };
    const { visibility, status } = await context.views.status(view);
    requireVisibleStatus(visibility);
    if (status?.favorited !== isLiked) throw refuse();
    await withV1Refusals(
      () => run(context, principal, id),
      () => refusedV1(136, 403, "You have been blocked from the author of this tweet and can't favorite it."),
    );
    return answerV1((await context.views.status(view)).status);
  };

export const favoriteEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'createFavoriteV1',
    summary: 'Likes a post',
    path: '/1.1/favorites/create.json',
    handler: changing({
      isLiked: false,
      refuse: () => refusedV1(139, 403, 'You have already favorited this status.'),
      run: ({ likes }, principal, id) => likes.add(principal, id),
    }),
  }),
  endpoint({
    ...common,
    operationId: 'destroyFavoriteV1',
    summary: 'Removes a like',
    path: '/1.1/favorites/destroy.json',
    handler: changing({
      isLiked: true,
      refuse: noSuchStatus,
      run: ({ likes }, principal, id) => likes.remove(principal, id),
    }),
  }),
];
