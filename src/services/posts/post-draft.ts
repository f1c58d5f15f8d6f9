import type { MediaId, PostId, UserId } from '../../core/ids.js';
import type { PollOption, ReplySettings, Withheld } from '../../core/post.js';

/** A post before text, entities and counts are derived from it. */
export interface PostDraft {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  readonly text: string;
  /** Detected when absent. */
  readonly lang?: string;
  readonly source?: string;
  readonly inReplyToPostId?: PostId;
  /** Participants that the reply neither mentions nor notifies. */
  readonly excludedReplyUserIds?: readonly UserId[];
  readonly quotedPostId?: PostId;
  readonly mediaIds?: readonly MediaId[];
  readonly taggedUserIds?: readonly UserId[];
  readonly poll?: { readonly options: readonly PollOption[]; readonly durationMinutes: number };
  readonly placeId?: string;
  readonly replySettings?: ReplySettings;
  readonly superFollowersOnly?: boolean;
  readonly possiblySensitive?: boolean;
  readonly nullcast?: boolean;
  readonly withheld?: Withheld;
  readonly directMessageDeepLink?: string;
  readonly cardUri?: string;
}

export interface RepostDraft {
  readonly id: PostId;
  readonly authorId: UserId;
  readonly createdAtMs: number;
  /** The post to repost; for a repost, its original is used. */
  readonly postId: PostId;
  readonly source?: string;
}

/** The input of a request to create a post (docs/api/posts.md). */
export interface PostInput extends Partial<
  Omit<
    PostDraft,
    'id' | 'authorId' | 'createdAtMs' | 'lang' | 'source' | 'poll' | 'possiblySensitive' | 'withheld'
  >
> {
  readonly poll?: { readonly options: readonly string[]; readonly durationMinutes: number };
}
