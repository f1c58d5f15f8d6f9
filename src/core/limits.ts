/**
 * The limits on what users write and upload, each defined once. Character counts are code points. Limits used by a
 * single module are defined there.
 */

/** The maximum weighted length of a post (docs/api/posts.md#length, text configuration v3). */
export const MAX_POST_WEIGHT = 280;
/** The maximum weighted length of a long post (docs/api/posts.md#long-posts). */
export const MAX_LONG_POST_WEIGHT = 25_000;
/** Checked before weighing a post, since links weigh the same at any length. */
export const MAX_POST_CHARACTERS = 25_000;
/** Photos per post. An animated image or a video must be alone (docs/api/posts.md#attachments). */
export const MAX_POST_MEDIA = 4;
export const MAX_TAGGED_USERS = 10;
/** What the author says about the media of a post, and the addresses that a post keeps. */
export const MAX_MEDIA_TITLE = 280;
export const MAX_MEDIA_DESCRIPTION = 1_000;
export const MAX_POST_URL = 2_048;
/** An address of the web, which begins with its scheme. */
export const WEB_ADDRESS = /^https?:\/\/\S+$/;

export const POLL_OPTIONS = { min: 2, max: 4 } as const;
export const POLL_OPTION_CHARACTERS = { min: 1, max: 25 } as const;
export const POLL_MINUTES = { min: 5, max: 10_080 } as const;

/** Maximum sizes of uploads (docs/api/posts.md#attachments). */
export const MAX_PHOTO_BYTES = 5 * 1024 * 1024;
export const MAX_GIF_BYTES = 15 * 1024 * 1024;
export const MAX_VIDEO_BYTES = 512 * 1024 * 1024;
export const MAX_SUBTITLE_BYTES = 512 * 1024;
/** Segments are numbered from 0 to 999 (docs/api/media.md#uploads). */
export const MAX_SEGMENTS = 1_000;
export const MAX_ADDITIONAL_OWNERS = 100;
export const MAX_ALT_TEXT_CHARACTERS = 1_000;

/** Articles (docs/api/posts.md#articles); texts are counted over all blocks. */
export const ARTICLE_LIMITS = {
  title: 100,
  blocks: 1_000,
  entities: 500,
  ranges: 100,
  characters: 50_000,
  markdown: 10_000,
  media: 25,
  drafts: 100,
} as const;

/** Communities (docs/api/communities.md). */
export const MAX_COMMUNITY_NAME = 100;
export const MAX_COMMUNITY_DESCRIPTION = 1_000;

/** The greatest length of a rule of a filtered stream that a server can allow, and its tag (docs/api/streams.md#rules). */
export const MAX_RULE_LENGTH = 4_096;
export const MAX_RULE_TAG_CHARACTERS = 1_000;

/** The tag of a subscription to activity (docs/api/activity.md#subscriptions). */
export const MAX_ACTIVITY_TAG_CHARACTERS = 200;

/** The searches that a user keeps, and the length of a query (docs/api/pipit.md#saved-searches). */
export const MAX_SAVED_SEARCHES = 25;
export const MAX_SAVED_QUERY = 1_024;

/** What a member adds to a report, and the reports of a member that are open (docs/api/pipit.md#reports). */
export const MAX_REPORT_COMMENT = 500;
export const MAX_OPEN_REPORTS = 100;

/** The reason and the notes of operators. */
export const MAX_OPERATOR_TEXT = 500;

/** The name of a folder of bookmarks (docs/api/timelines.md#likes-and-bookmarks). */
export const MAX_FOLDER_NAME = 25;

/** Message length, and the users that a group's creator may add (docs/api/limits.md#sizes). */
export const MAX_MESSAGE_CHARACTERS = 10_000;
export const MAX_GROUP_PARTICIPANTS = 50;

/** Lists (docs/api/lists.md). */
export const MAX_LIST_NAME = 25;
export const MAX_LIST_DESCRIPTION = 100;
export const MAX_OWNED_LISTS = 1_000;
export const MAX_LIST_MEMBERS = 5_000;
export const MAX_PINNED_LISTS = 5;

/** Spaces (not specified by X). */
export const MAX_SPACE_TITLE = 200;
export const MAX_SPACE_LANG = 35;
/** Live and scheduled Spaces of a user. */
export const MAX_OPEN_SPACES = 10;

/** Profile lengths in characters, as in X's own forms. */
export const PROFILE_LIMITS = { name: 50, description: 160, location: 30, url: 100 } as const;

/**
 * App profile lengths in characters, and the number of redirect URIs (docs/api/authentication.md#three-legged-flow).
 */
export const APP_LIMITS = { name: 100, description: 200, uri: 2_000, redirectUris: 10 } as const;
