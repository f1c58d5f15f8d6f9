import type { UserPrincipal } from '../../core/access.js';
import type { MediaId, PostId, UserId } from '../../core/ids.js';
import { ref } from '../../core/json-schema.js';
import type { StatusV1 } from '../../views/v1/post.js';
import type { ApiContext } from '../context.js';
import { endpoint, perQuarterHour, POST_BUDGET, type AnyEndpoint } from '../endpoint.js';
import type { ParamValues } from '../params/params.js';
import { viewerOf } from '../viewer.js';
import { answerV1, ENDPOINT_V1, formOf, postFormParams, READ_V1, USER_WRITE_V1 } from './endpoint-v1.js';
import { flagParam, idListV1Param, idV1InPath, idV1Param, textV1Param } from './params.js';
import { noSuchStatus, refusedV1, requireVisibleStatus, withV1Refusals } from './refusals.js';

/** See docs/api/v1.md#posts. */

const common = { ...ENDPOINT_V1, tag: 'Posts, version 1.1', response: ref('StatusV1') } as const;
/** Both paths of a lookup count together. */
const reading = {
  ...common,
  access: READ_V1,
  rateLimits: perQuarterHour({ app: 900, user: 900 }).map((limit) => ({
    ...limit,
    pool: 'lookups of posts',
  })),
} as const;
const writing = { ...common, access: USER_WRITE_V1, method: 'POST' } as const;

type Form = ParamValues<typeof postFormParams>;

/** Returns a post that the viewer may see. Throws the refusals of v1.1. */
async function requireStatus(
  { views }: ApiContext,
  id: PostId | undefined,
  viewerId: UserId | undefined,
  form: Form,
): Promise<StatusV1> {
  if (id === undefined) throw noSuchStatus();
  const { visibility, status } = await views.status({ id, viewerId, form: formOf(form) });
  requireVisibleStatus(visibility);
  if (!status) throw noSuchStatus();
  return status;
}

const updateParams = {
  status: textV1Param('The text; at most 280 weighted characters.', 'Hello from Pipit'),
  in_reply_to_status_id: idV1Param<PostId>(
    'The post to reply to; ignored unless the text mentions its author, or handles are added.',
  ),
  auto_populate_reply_metadata: flagParam('Whether the handles of the conversation are added to the text.'),
  exclude_reply_user_ids: idListV1Param<UserId>('Users whose handles are not added.'),
  attachment_url: textV1Param('The link of a post to quote.'),
  media_ids: idListV1Param<MediaId>('Up to four photos, or one GIF or video, separated by commas.'),
  place_id: textV1Param('The place to attach.'),
  card_uri: textV1Param('Stored and returned; excludes other attachments.'),
  ...postFormParams,
};

async function inputOf(
  { views, posts }: ApiContext,
  { userId }: UserPrincipal,
  params: ParamValues<typeof updateParams>,
) {
  const {
    status = '',
    media_ids: mediaIds = [],
    in_reply_to_status_id: parentId,
    attachment_url: url,
  } = params;
  if (status.trim() === '' && mediaIds.length === 0) {
    throw refusedV1(170, 403, 'Missing required parameter: status.');
  }
  const addsHandles = params.auto_populate_reply_metadata;
  const isReply =
    parentId !== undefined && (addsHandles || (await isAddressed(views, parentId, userId, status)));
  return {
    text: status,
    mediaIds: mediaIds.length > 0 ? mediaIds : undefined,
    quotedPostId: url === undefined ? undefined : quotedPost(posts, url),
    inReplyToPostId: isReply ? parentId : undefined,
    typedHandlesOnly: !addsHandles,
    excludedReplyUserIds: params.exclude_reply_user_ids,
    placeId: params.place_id,
    cardUri: params.card_uri,
  };
}

/** Reports whether a reply needs no handles: the parent is one's own, or the text mentions its author. */
async function isAddressed(
  views: ApiContext['views'],
  parentId: PostId,
  viewerId: UserId,
  text: string,
): Promise<boolean> {
  const { authorId, status } = await views.status({ id: parentId, viewerId, form: { mode: 'extended' } });
  // The service refuses a reply to a post that is missing or hidden.
  if (!status || authorId === viewerId) return true;
  const { screen_name } = status.user as { readonly screen_name: string };
  const mentioned = text.toLowerCase().match(/[@＠][a-z0-9_]+/g) ?? [];
  return mentioned.some((mention) => mention.slice(1) === screen_name.toLowerCase());
}

function quotedPost(posts: ApiContext['posts'], url: string): PostId {
  const id = posts.linkedPost(url);
  if (id === undefined) throw refusedV1(44, 400, 'attachment_url parameter is invalid.');
  return id;
}

export const statusEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...writing,
    operationId: 'updateStatusV1',
    summary: 'Creates a post as the user',
    path: '/1.1/statuses/update.json',
    rateLimits: [...perQuarterHour({ user: 300 }), POST_BUDGET],
    params: updateParams,
    handler: async (context, { principal, params }) => {
      const input = await inputOf(context, principal, params);
      const { id } = await withV1Refusals(() => context.posts.create(principal, input));
      return answerV1(await requireStatus(context, id, principal.userId, params));
    },
  }),
  ...(['/1.1/statuses/show.json', '/1.1/statuses/show/{id}'] as const).map((path) =>
    endpoint({
      ...reading,
      operationId: path.endsWith('}') ? 'showStatusByPathV1' : 'showStatusV1',
      summary: 'One post by id',
      path,
      params: {
        id: path.endsWith('}') ? idV1InPath<PostId>('The post.') : idV1Param<PostId>('The post.'),
        ...postFormParams,
      },
      handler: async (context, { principal, params }) =>
        answerV1(await requireStatus(context, params.id, viewerOf(principal), params)),
    }),
  ),
  endpoint({
    ...writing,
    operationId: 'destroyStatusV1',
    summary: 'Deletes a post of the user and returns it',
    path: '/1.1/statuses/destroy/{id}',
    rateLimits: perQuarterHour({ user: 300 }),
    params: { id: idV1InPath<PostId>('The post.'), ...postFormParams },
    handler: async (context, { principal, params }) => {
      const status = await requireStatus(context, params.id, principal.userId, params);
      const { id } = params;
      if (id !== undefined) await withV1Refusals(() => context.posts.delete(principal, id));
      return answerV1(status);
    },
  }),
];
