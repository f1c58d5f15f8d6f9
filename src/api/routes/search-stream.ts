import { Answer } from '../../http/answer.js';
import { gzipped, MessageStream, takesGzip } from '../../http/message-stream.js';
import { JSON_TYPE } from '../../http/problems.js';
import { schemaOf } from '../../core/json-schema.js';
import { writeJson } from '../../core/wire-json.js';
import type { StreamMatch } from '../../services/streams/live-rules.js';
import { PROBLEMS } from '../../views/present/partial-errors.js';
import type { ApiContext } from '../context.js';
import { endpoint, perQuarterHour } from '../endpoint.js';
import { streamedPostParams } from '../params/families.js';
import { integerParam } from '../params/params.js';
import { viewOf } from '../viewer.js';

/** The filtered stream (docs/api/streams.md#connections). */

const MAX_BACKFILL_MINUTES = 5;

/** Proxies that buffer would keep messages back. */
const HEADERS = { 'content-type': JSON_TYPE, 'x-accel-buffering': 'no' } as const;

export const searchStream = endpoint({
  operationId: 'searchStream',
  tag: 'Streams',
  summary: 'New posts that match the rules of the app, as they are made',
  path: '/2/tweets/search/stream',
  access: { contexts: ['app'] },
  rateLimits: perQuarterHour({ app: 50 }),
  params: {
    backfill_minutes: integerParam<number>(
      0,
      MAX_BACKFILL_MINUTES,
      0,
      'Sends the posts of these last minutes first.',
    ),
    ...streamedPostParams,
  },
  conflicts: true,
  streams: true,
  response: schemaOf('object', {
    description: 'One message: a post as in a lookup, and `matching_rules`, each with `id` and `tag`.',
  }),
  handler: async (context, call) => {
    const stream = new MessageStream({ onSlow: () => disconnection('SlowReader', 'slow-reader', SLOW) });
    const view = viewOf(call);
    const close = await context.filteredStreams.open(call.principal.app.id, call.params.backfill_minutes, {
      onMatches: async (matches) => {
        for (const match of matches) {
          if (stream.destroyed) return;
          const message = await messageOf(context, view, match);
          if (message !== undefined) stream.send(message);
        }
      },
      onEnd: () =>
        stream.finish(disconnection('OperationalDisconnect', 'operational-disconnect', OPERATIONAL)),
    });
    stream.once('close', close);
    if (!takesGzip(call.headers['accept-encoding'])) return new Answer(200, stream, HEADERS);
    return new Answer(200, gzipped(stream), { ...HEADERS, 'content-encoding': 'gzip' });
  },
});

/** Returns the message for a post; undefined if the post is no longer visible. */
async function messageOf(
  { views }: ApiContext,
  view: ReturnType<typeof viewOf>,
  { postId, rules }: StreamMatch,
): Promise<string | undefined> {
  const envelope = await views.post({ ids: [postId], ...view });
  if (envelope.data === undefined) return undefined;
  const matching_rules = rules.map(({ id, tag = '' }) => ({ id: String(id), tag }));
  return writeJson({ ...envelope, matching_rules }).toString();
}

const OPERATIONAL = 'This stream has been disconnected for operational reasons.';
const SLOW = 'This stream has been disconnected because the client reads too slowly.';

/** Returns the last message of a stream that the server ends. */
function disconnection(disconnectType: string, type: string, detail: string): string {
  const error = { title: type, disconnect_type: disconnectType, detail, type: PROBLEMS + type };
  return JSON.stringify({ errors: [error] });
}
