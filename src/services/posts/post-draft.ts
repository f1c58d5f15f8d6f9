import type { MediaId, PollId, PostId, UserId } from '../../core/ids.js';
import type { TypedText } from '../../core/post-text/typed-text.js';
import type { PollOption, Post, PostDetail } from '../../core/post.js';

type Reference = 'inReplyToPostId' | 'quotedPostId' | 'placeId';
type Setting = 'replySettings' | 'superFollowersOnly' | 'possiblySensitive' | 'nullcast';

/** What is stored as it was given. */
type KeptDetail =
  | 'directMessageDeepLink'
  | 'cardUri'
  | 'article'
  | 'communityId'
  | 'sharedWithFollowers'
  | 'paidPartnership'
  | 'madeWithAi'
  | 'mediaTitle'
  | 'mediaDescription';

/** A post before text, entities and counts are derived from it. */
export interface PostDraft
  extends
    Pick<Post, 'id' | 'authorId' | 'createdAtMs' | 'source'>,
    Partial<Pick<Post, Reference | Setting>>,
    Pick<PostDetail, 'withheld' | KeptDetail> {
  readonly typed: TypedText;
  /** Participants that the reply neither mentions nor notifies. */
  readonly excludedReplyUserIds?: readonly UserId[];
  /** If true, a reply has no handles but those that the author typed. */
  readonly typedHandlesOnly?: boolean;
  readonly mediaIds?: readonly MediaId[];
  readonly taggedUserIds?: readonly UserId[];
  readonly poll?: {
    /** By default a new one. */
    readonly id?: PollId;
    readonly options: readonly PollOption[];
    readonly durationMinutes: number;
  };
}

export interface RepostDraft extends Pick<Post, 'id' | 'authorId' | 'createdAtMs' | 'source'> {
  /** The post to repost; for a repost, its original is used. */
  readonly postId: PostId;
}

/** The input of a request to create a post (docs/api/posts.md). */
export interface PostInput extends Partial<
  Omit<
    PostDraft,
    | 'id'
    | 'authorId'
    | 'createdAtMs'
    | 'typed'
    | 'source'
    | 'poll'
    | 'possiblySensitive'
    | 'withheld'
    | 'article'
  >
> {
  readonly text?: string;
  /** The version that the post replaces; absent from a new post. */
  readonly previousPostId?: PostId;
  readonly poll?: { readonly options: readonly string[]; readonly durationMinutes: number };
}
