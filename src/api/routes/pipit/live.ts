import { schemaOf } from '../../../core/json-schema.js';
import { resourceNotFound } from '../../../core/errors.js';
import type { PostId, UserId } from '../../../core/ids.js';
import { systemTimers } from '../../../core/timers.js';
import { Answer } from '../../../http/answer.js';
import { EVENT_STREAM_HEADERS, EventStream } from '../../../http/event-stream.js';
import type { LiveReader, LiveTopic } from '../../../services/live/live-readers.js';
import type { ApiContext } from '../../context.js';
import { endpoint, perQuarterHour, userRead } from '../../endpoint.js';
import { idParam } from '../../params/params.js';
import { unreadOf } from './notifications.js';

/** More new posts than these are not counted (docs/api/pipit.md#live). */
const MAX_NEW = 100;

/** Clients connect again, with credentials that may have ended meanwhile. */
const MAX_OPEN_MS = 15 * 60_000;

/** See docs/api/pipit.md#live. */
export const followLive = endpoint({
  operationId: 'followLive',
  tag: 'Pipit',
  summary: 'A stream of server-sent events with the number of new posts, notifications, messages and replies',
  path: '/_pipit/live',
  access: userRead(),
  rateLimits: perQuarterHour({ user: 900 }),
  params: {
    home_since_id: idParam<PostId>('Counts the posts of the home timeline with a greater id.'),
    replies_to_id: idParam<PostId>('Counts replies in the conversation below this post.'),
    replies_since_id: idParam<PostId>(
      'Counts only replies with a greater id; by default than `replies_to_id`.',
    ),
  },
  streams: true,
  response: schemaOf('string', { description: 'Events of the types `home`, `unread` and `replies`.' }),
  handler: async (context, { principal, params }) => {
    const { userId } = principal;
    const { home_since_id: sinceId, replies_to_id: postId, replies_since_id: repliesSinceId } = params;
    const topics: [LiveTopic, () => Promise<object>][] = [['unread', () => unreadOf(context, principal)]];
    if (sinceId !== undefined) topics.push(['home', () => countHome(context, principal, sinceId)]);
    const post = postId === undefined ? undefined : await requireVisible(context, userId, postId);
    if (post) {
      const count = () => countReplies(context, userId, post.id, repliesSinceId ?? post.id);
      topics.push(['replies', count]);
    }
    const conversationId = post?.conversationId;
    return new Answer(200, openStream(context, { userId, topics: new Map(topics), conversationId }), HEADERS);
  },
});

/** A client that connects again must not reach a server that stops. */
const HEADERS = { ...EVENT_STREAM_HEADERS, connection: 'close' } as const;

function openStream(
  { live }: ApiContext,
  followed: Pick<LiveReader, 'userId' | 'topics' | 'conversationId'>,
): EventStream {
  const body = new EventStream();
  try {
    const reader = live.open({
      ...followed,
      send: (topic, json) => body.send(json, topic),
      end: (reason) => {
        if (reason === 'replaced') body.send('{}', 'replaced');
        body.end();
      },
    });
    const stop = systemTimers.after(MAX_OPEN_MS, () => void body.end());
    body.on('drain', reader.missed);
    body.once('close', () => {
      reader.close();
      stop();
    });
    return body;
  } catch (error) {
    body.destroy();
    throw error;
  }
}

async function requireVisible({ views }: ApiContext, viewerId: UserId, id: PostId) {
  const [post] = await views.visiblePosts({ ids: [id], viewerId });
  if (post) return post;
  throw resourceNotFound({ resourceType: 'tweet', parameter: 'replies_to_id', value: String(id) });
}

async function countHome(
  { timelines, views }: ApiContext,
  principal: Parameters<ApiContext['timelines']['home']>[0],
  sinceId: PostId,
): Promise<object> {
  const { items } = await timelines.home(principal, { page: { limit: MAX_NEW }, bounds: { sinceId } });
  return countOfOthers(views, { ids: items, viewerId: principal.userId, isHome: true });
}

async function countReplies(
  { conversations, views }: ApiContext,
  viewerId: UserId,
  id: PostId,
  sinceId: PostId,
): Promise<object> {
  const [post] = await views.visiblePosts({ ids: [id], viewerId });
  const ids = post ? await conversations.newReplies(post, sinceId) : [];
  return countOfOthers(views, { ids, viewerId });
}

/** Counts the visible posts of others: the user knows the own ones. */
async function countOfOthers(
  views: ApiContext['views'],
  request: Parameters<ApiContext['views']['visiblePosts']>[0],
): Promise<object> {
  const posts = await views.visiblePosts(request);
  return { count: posts.filter(({ authorId }) => authorId !== request.viewerId).length };
}
