import { samplePercentile } from '../../core/id-shares.js';
import type { EdgeId } from '../../core/ids.js';
import { writeJson } from '../../core/wire-json.js';
import { messageOf } from '../../http/message-stream.js';
import type { StreamedLike } from '../../services/streams/streamed-likes.js';
import type { Envelope } from '../../views/includes.js';
import { presenter } from '../../views/wire/presenter.js';
import type { ApiContext } from '../context.js';
import type { AnyEndpoint } from '../endpoint.js';
import { likeFields } from '../like-fields.js';
import { streamedLikeParams } from '../params/families.js';
import type { ParamMap } from '../params/params.js';
import { streamEndpoint, type StreamSpec } from '../stream-endpoint.js';
import { viewOf } from '../viewer.js';

/** Streams of likes (docs/api/streams.md#likes). */

export const likeStreams: readonly AnyEndpoint[] = [
  likeStream({
    operationId: 'streamLikesFirehose',
    summary: 'All new likes',
    path: '/2/likes/firehose/stream',
    name: 'likes_firehose_stream',
    partitions: 20,
    sample: 100,
  }),
  likeStream({
    operationId: 'streamLikesSample10',
    summary: 'One new like in ten',
    path: '/2/likes/sample10/stream',
    name: 'likes_sample10_stream',
    partitions: 2,
    sample: 10,
  }),
];

interface LikeStream extends Pick<
  StreamSpec<ParamMap>,
  'operationId' | 'summary' | 'path' | 'name' | 'partitions'
> {
  /** In percent. */
  readonly sample: number;
}

function likeStream({ sample, ...spec }: LikeStream): AnyEndpoint {
  return streamEndpoint({
    ...spec,
    params: streamedLikeParams,
    message: 'One message: a like, and what its expansions add.',
    open: (context, call) => {
      const isChosen = (id: EdgeId): boolean => samplePercentile(id) < sample && call.isInPart(id);
      return {
        messages: async (entries) =>
          likeMessages(context, call, await context.streams.objects.likesOf(entries, isChosen)),
      };
    },
  });
}

/** The part of a call that determines the messages. */
type LikeCall = Parameters<typeof viewOf>[0] & {
  readonly params: { readonly 'like_with_tweet_author.fields': ReadonlySet<string> };
};

/** The expansions of posts by those of likes. */
const POST_EXPANSIONS: Readonly<Record<string, string>> = {
  liked_tweet_author_id: 'author_id',
  'attachments.media_keys': 'attachments.media_keys',
};

/** Returns the messages for likes of visible posts. */
async function likeMessages(
  { views }: ApiContext,
  call: LikeCall,
  likes: readonly StreamedLike[],
): Promise<Buffer[]> {
  const { viewerId, selection } = viewOf(call);
  const present = presenter(likeFields, call.params['like_with_tweet_author.fields']);
  const expansions = new Set([...selection.expansions].flatMap((name) => POST_EXPANSIONS[name] ?? []));
  const ids = likes.map(({ post }) => post.id);
  const envelopes = await views.eachPost({ ids, viewerId, selection: { ...selection, expansions } });
  return likes.flatMap((like, index) => {
    const { data: post, includes = {} }: Envelope<unknown> = envelopes[index] ?? {};
    if (post === undefined) return [];
    const all = selection.expansions.has('liked_tweet_id') ? { ...includes, tweets: [post] } : includes;
    const message = { data: present(like), ...(Object.keys(all).length > 0 && { includes: all }) };
    return [messageOf(writeJson(message).toString())];
  });
}
