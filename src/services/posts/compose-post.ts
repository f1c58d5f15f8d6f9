import type { PollId, UserId } from '../../core/ids.js';
import type { Media, Post, PostDetail } from '../../core/post.js';
import type { Lookups } from '../../stores/lookups.js';
import { composeText } from './compose-text.js';
import { linkEntities } from './link-entities.js';
import { shortened } from './long-text.js';
import type { PostDraft } from './post-draft.js';
import { replyLimits } from './reply-rules.js';

/** The posts that a post replies to and quotes, and its poll. */
export interface PostTargets {
  readonly parent?: Post;
  readonly quoted?: Post;
  readonly pollId?: PollId;
}

export interface ComposedPost {
  readonly post: Post;
  /** May contain the author. */
  readonly mentionedIds: ReadonlySet<UserId>;
}

/** Derives text, entities and conversation of a post from its draft. `publicUrl` is the base URL of status links. */
export async function composePost(
  lookups: Lookups,
  publicUrl: string,
  draft: PostDraft,
  { parent, quoted, pollId }: PostTargets,
): Promise<ComposedPost> {
  const media = [...(await lookups.media.load(draft.mediaIds ?? [])).values()];
  const whole = await composeText(lookups, publicUrl, { draft, parent, quoted, media });
  const { entities, mentionedIds } = await linkEntities(lookups, whole.text, whole.links, draft.typed);
  const short = shortened(whole, entities, draft.typed);
  const post: Post = {
    id: draft.id,
    authorId: draft.authorId,
    createdAtMs: draft.createdAtMs,
    conversationId: parent?.conversationId ?? draft.id,
    text: short?.text ?? whole.text,
    lang: draft.typed.lang,
    source: draft.source,
    inReplyToPostId: parent?.id,
    inReplyToUserId: parent?.authorId,
    quotedPostId: quoted?.id,
    replySettings: draft.replySettings ?? 'everyone',
    superFollowersOnly: draft.superFollowersOnly ?? false,
    possiblySensitive: draft.possiblySensitive ?? false,
    nullcast: draft.nullcast ?? false,
    placeId: draft.placeId,
    detail: detailOf(draft, media, {
      replyLimitedBy: limitsBelow(parent),
      entities: short ? short.entities : entities,
      note: short && { text: whole.text, entities },
      pollIds: pollId && [String(pollId)],
    }),
  };
  return { post, mentionedIds };
}

function limitsBelow(parent: Post | undefined): readonly string[] | undefined {
  const limits = parent ? replyLimits(parent) : [];
  return limits.length > 0 ? limits : undefined;
}

function detailOf(draft: PostDraft, media: readonly Media[], derived: PostDetail): PostDetail {
  const texts = (ids: readonly bigint[] | undefined): string[] | undefined =>
    ids && ids.length > 0 ? ids.map(String) : undefined;
  return {
    mediaKeys: media.length > 0 ? media.map((item) => item.mediaKey) : undefined,
    taggedUserIds: texts(draft.taggedUserIds),
    excludedReplyUserIds: texts(draft.excludedReplyUserIds),
    withheld: draft.withheld,
    directMessageDeepLink: draft.directMessageDeepLink,
    cardUri: draft.cardUri,
    article: draft.article,
    communityId: draft.communityId,
    sharedWithFollowers: draft.sharedWithFollowers,
    paidPartnership: draft.paidPartnership,
    madeWithAi: draft.madeWithAi,
    mediaTitle: draft.mediaTitle,
    mediaDescription: draft.mediaDescription,
    ...derived,
  };
}
