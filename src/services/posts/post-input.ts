import type { MediaId, PostId, UserId } from '../../core/ids.js';
import type { ReplySettings } from '../../core/post.js';

/** The input of a request to create a post (docs/api/posts.md). */
export interface PostInput {
  readonly text?: string;
  readonly mediaIds?: readonly MediaId[];
  readonly taggedUserIds?: readonly UserId[];
  readonly poll?: { readonly options: readonly string[]; readonly durationMinutes: number };
  readonly quotedPostId?: PostId;
  readonly inReplyToPostId?: PostId;
  readonly excludedReplyUserIds?: readonly UserId[];
  readonly placeId?: string;
  readonly replySettings?: ReplySettings;
  readonly superFollowersOnly?: boolean;
  readonly directMessageDeepLink?: string;
  readonly cardUri?: string;
  readonly nullcast?: boolean;
}
