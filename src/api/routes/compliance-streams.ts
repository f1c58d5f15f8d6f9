import type { StreamEntry } from '../../services/streams/feed-streams.js';
import { messageOf } from '../../http/message-stream.js';
import { postsOf } from '../../services/streams/streamed-posts.js';
import { likeLines, postLines, userLines, type ComplianceLine } from '../compliance-lines.js';
import type { ApiContext } from '../context.js';
import type { AnyEndpoint } from '../endpoint.js';
import type { ParamMap } from '../params/params.js';
import { streamEndpoint, type StreamSpec } from '../stream-endpoint.js';

/** Streams for clients that keep copies of posts and accounts (docs/api/streams.md#compliance). */

const PARTITIONS = 4;

export const complianceStreams: readonly AnyEndpoint[] = [
  complianceStream({
    operationId: 'streamPostsCompliance',
    summary: 'Deletions and edits of posts',
    path: '/2/tweets/compliance/stream',
    name: 'tweets_compliance_stream',
    partitions: PARTITIONS,
    lines: async ({ streams }, entries) =>
      postLines(entries, await streams.objects.editHistories(postsOf(entries))),
  }),
  complianceStream({
    operationId: 'streamUsersCompliance',
    summary: 'What happened to accounts: protection, suspension, deletion, changed profiles, removed places',
    path: '/2/users/compliance/stream',
    name: 'users_compliance_stream',
    partitions: PARTITIONS,
    lines: (_, entries) => userLines(entries),
  }),
  complianceStream({
    operationId: 'streamLikesCompliance',
    summary: 'Likes that were undone',
    path: '/2/likes/compliance/stream',
    name: 'likes_compliance_stream',
    lines: (_, entries) => likeLines(entries),
  }),
  complianceStream({
    operationId: 'streamLabelsCompliance',
    summary: 'Labels of posts; there are none',
    path: '/2/tweets/label/stream',
    name: 'tweet_label_stream',
    lines: () => [],
  }),
];

interface ComplianceStream extends Pick<
  StreamSpec<ParamMap>,
  'operationId' | 'summary' | 'path' | 'name' | 'partitions'
> {
  lines(
    context: ApiContext,
    entries: readonly StreamEntry[],
  ): Promise<readonly ComplianceLine[]> | readonly ComplianceLine[];
}

function complianceStream({ lines, ...spec }: ComplianceStream): AnyEndpoint {
  return streamEndpoint({
    ...spec,
    params: {},
    message: 'One message: `data` with one member, named after what happened.',
    open: (context, { isInPart }) => ({
      messages: async (entries) =>
        (await lines(context, entries))
          .filter(({ id }) => isInPart(id))
          .map(({ data }) => messageOf(JSON.stringify({ data }))),
    }),
  });
}
