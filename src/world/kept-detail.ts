import type { CommunityId } from '../core/ids.js';
import { MAX_MEDIA_DESCRIPTION, MAX_MEDIA_TITLE, MAX_POST_URL, WEB_ADDRESS } from '../core/limits.js';
import * as v from '../core/validators.js';
import type { Post, PostDetail } from '../core/post.js';
import type { PostDraft } from '../services/posts/post-draft.js';
import { findCommunities } from '../stores/communities.js';
import type { Check } from './pass.js';
import { idOf } from './readers.js';

/** The members of each version of a post that are stored as they are given. */
export const VERSION_DETAIL = {
  paid_partnership: v.boolean(),
  made_with_ai: v.boolean(),
  media_title: v.text({ min: 1, max: MAX_MEDIA_TITLE }),
  media_description: v.text({ min: 1, max: MAX_MEDIA_DESCRIPTION }),
  direct_message_deep_link: v.text({ min: 1, max: MAX_POST_URL, pattern: WEB_ADDRESS }),
  card_uri: v.text({ min: 1, max: MAX_POST_URL }),
};
type VersionDetail = v.ValuesOf<typeof VERSION_DETAIL>;

/** Those that all versions of a post have. */
export const POST_DETAIL = {
  community: idOf<CommunityId>(),
  share_with_followers: v.boolean(),
  nullcast: v.boolean(),
};
type PostDetailMembers = v.ValuesOf<typeof POST_DETAIL>;
type KeptMembers = PostDetailMembers & VersionDetail;
type KeptEntry = KeptMembers & { readonly path: string };

/** Checks that the communities of posts are in the file or in the database. */
export async function checkCommunitiesOfPosts(
  posts: readonly KeptEntry[],
  communities: readonly { readonly id: CommunityId }[],
  { known, faults }: Check,
): Promise<void> {
  const named = posts.flatMap(({ community, path }) =>
    community === undefined ? [] : [{ community, path }],
  );
  const declared = new Set(communities.map(({ id }) => id));
  const others = named.map(({ community }) => community).filter((id) => !declared.has(id));
  const stored = await findCommunities(known.db, [...new Set(others)]);
  for (const { community, path } of named) {
    if (!declared.has(community) && !stored.has(community))
      faults.add(`${path}.community`, `no community ${community} in this file or in the database`);
  }
}

/** Returns the members as a draft has them. */
export function keptDraft(entry: KeptMembers): Partial<PostDraft> {
  return {
    communityId: entry.community === undefined ? undefined : String(entry.community),
    sharedWithFollowers: entry.share_with_followers || undefined,
    nullcast: entry.nullcast,
    ...versionDetailDraft(entry),
  };
}

/** Returns the members of a version as a draft has them. */
export function versionDetailDraft(entry: VersionDetail) {
  return {
    paidPartnership: entry.paid_partnership || undefined,
    madeWithAi: entry.made_with_ai || undefined,
    mediaTitle: entry.media_title,
    mediaDescription: entry.media_description,
    directMessageDeepLink: entry.direct_message_deep_link,
    cardUri: entry.card_uri,
  } satisfies Partial<PostDraft>;
}

/** Returns the members of a stored post that concern all its versions, as JSON. */
export function postDetailOf({ detail, nullcast }: Pick<Post, 'detail' | 'nullcast'>): {
  readonly [K in keyof PostDetailMembers]: unknown;
} {
  return {
    community: detail.communityId,
    share_with_followers: detail.sharedWithFollowers,
    nullcast: nullcast || undefined,
  };
}

/** Returns the members of a stored version, as JSON. */
export function versionDetailOf(detail: PostDetail): { readonly [K in keyof VersionDetail]: unknown } {
  return {
    paid_partnership: detail.paidPartnership,
    made_with_ai: detail.madeWithAi,
    media_title: detail.mediaTitle,
    media_description: detail.mediaDescription,
    direct_message_deep_link: detail.directMessageDeepLink,
    card_uri: detail.cardUri,
  };
}
