import { streamedPostParams } from '../params/families.js';
import { streamEndpoint } from '../stream-endpoint.js';
import { matchingRules, postMessages } from '../streamed-posts.js';
import { viewOf } from '../viewer.js';

/** The filtered stream (docs/api/streams.md#connections). */
export const searchStream = streamEndpoint({
  operationId: 'searchStream',
  summary: 'New posts that match the rules of the app, as they are made',
  path: '/2/tweets/search/stream',
  name: 'filtered_stream',
  params: streamedPostParams,
  rateLimit: 50,
  conflicts: true,
  message: 'One message: a post as in a lookup, and `matching_rules`, each with `id` and `tag`.',
  open: async (context, call) => {
    const { filtered } = context.streams;
    const { id: appId } = call.principal.app;
    return {
      close: await filtered.hold(appId),
      messages: async (entries) => {
        const matches = await filtered.matches(appId, entries);
        const rulesOf = new Map(matches.map(({ postId, rules }) => [postId, rules]));
        const ids = matches.map(({ postId }) => postId);
        return postMessages(context, viewOf(call), ids, (id) => matchingRules(rulesOf.get(id) ?? []));
      },
    };
  },
});
