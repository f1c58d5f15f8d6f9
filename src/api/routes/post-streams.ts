import { samplePercentile } from '../../core/id-shares.js';
import type { PostId } from '../../core/ids.js';
import { postsOf } from '../../services/streams/streamed-posts.js';
import type { ApiContext } from '../context.js';
import type { AnyEndpoint } from '../endpoint.js';
import { streamedPostParams } from '../params/families.js';
import type { ParamMap } from '../params/params.js';
import { streamEndpoint, type StreamSpec } from '../stream-endpoint.js';
import { postMessages } from '../streamed-posts.js';
import { viewOf } from '../viewer.js';

/** Streams of all posts or a share of them (docs/api/streams.md#connections). */

interface PostStream extends Omit<StreamSpec<ParamMap>, 'params' | 'message' | 'open'> {
  /** In percent. */
  readonly sample?: number;
  readonly language?: string;
}

const LANGUAGES = [
  ['en', 'English', 8],
  ['ja', 'Japanese', 2],
  ['ko', 'Korean', 2],
  ['pt', 'Portuguese', 2],
] as const;

export const postStreams: readonly AnyEndpoint[] = [
  postStream({
    operationId: 'sampleStream',
    summary: 'One new post in a hundred, always the same ones',
    path: '/2/tweets/sample/stream',
    name: 'sample_stream',
    rateLimit: 50,
    sample: 1,
    recovers: false,
  }),
  postStream({
    operationId: 'streamPostsSample10',
    summary: 'One new post in ten, always the same ones',
    path: '/2/tweets/sample10/stream',
    name: 'sample10_stream',
    rateLimit: 100,
    sample: 10,
    partitions: 2,
  }),
  postStream({
    operationId: 'streamPostsFirehose',
    summary: 'All new posts',
    path: '/2/tweets/firehose/stream',
    name: 'firehose_stream',
    partitions: 20,
  }),
  ...LANGUAGES.map(([language, name, partitions]) =>
    postStream({
      operationId: `streamPostsFirehose${language[0]?.toUpperCase()}${language.slice(1)}`,
      summary: `All new posts in ${name}`,
      path: `/2/tweets/firehose/stream/lang/${language}`,
      name: `firehose_stream_lang_${language}`,
      partitions,
      language,
    }),
  ),
];

function postStream({ sample = 100, language, ...spec }: PostStream): AnyEndpoint {
  const inLanguage = ({ streams }: ApiContext, ids: readonly PostId[]) =>
    language === undefined ? ids : streams.objects.postsInLanguage(ids, language);
  return streamEndpoint({
    ...spec,
    params: streamedPostParams,
    message: 'One message: a post as in a lookup.',
    open: (context, call) => {
      const isChosen = (id: PostId): boolean => samplePercentile(id) < sample && call.isInPart(id);
      return {
        messages: async (entries) => {
          const ids = await inLanguage(context, postsOf(entries).filter(isChosen));
          return postMessages(context, viewOf(call), ids);
        },
      };
    },
  });
}
