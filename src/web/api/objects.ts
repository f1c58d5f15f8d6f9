/** The objects of the API as pages read them (docs/api/objects.md): the members that some page shows. */

export interface WireTag {
  readonly start: number;
  readonly end: number;
  readonly tag: string;
}

export interface WireMention {
  readonly start: number;
  readonly end: number;
  readonly username: string;
  readonly id?: string;
}

export interface WireUrl {
  readonly start: number;
  readonly end: number;
  readonly url: string;
  readonly expanded_url?: string;
  readonly media_key?: string;
}

export interface WireEntities {
  readonly urls?: readonly WireUrl[];
  readonly mentions?: readonly WireMention[];
  readonly hashtags?: readonly WireTag[];
  readonly cashtags?: readonly WireTag[];
}

export interface WireUser {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly created_at?: string;
  readonly description?: string;
  readonly location?: string;
  readonly url?: string;
  readonly entities?: { readonly url?: WireEntities; readonly description?: WireEntities };
  readonly profile_image_url?: string;
  readonly profile_banner_url?: string;
  readonly protected?: boolean;
  readonly verified?: boolean;
  readonly pinned_tweet_id?: string;
  readonly receives_your_dm?: boolean;
  /** The relation to the viewer, such as `following`; absent if there is none. */
  readonly connection_status?: readonly string[];
  readonly public_metrics?: {
    readonly followers_count: number;
    readonly following_count: number;
    readonly tweet_count: number;
    readonly listed_count: number;
  };
}

export interface WirePost {
  readonly id: string;
  /** With `& < >` escaped; entities count its code points. */
  readonly text: string;
  /** The part of the text without what the server added, in code points. */
  readonly display_text_range?: readonly [start: number, end: number];
  readonly author_id?: string;
  readonly created_at?: string;
  readonly conversation_id?: string;
  readonly in_reply_to_user_id?: string;
  readonly edit_history_tweet_ids?: readonly string[];
  readonly edit_controls?: {
    readonly is_edit_eligible: boolean;
    readonly edits_remaining: number;
    readonly editable_until: string;
  };
  readonly referenced_tweets?: readonly {
    readonly type: 'retweeted' | 'quoted' | 'replied_to';
    readonly id: string;
  }[];
  readonly attachments?: { readonly media_keys?: readonly string[]; readonly poll_ids?: readonly string[] };
  readonly entities?: WireEntities;
  readonly note_tweet?: { readonly text: string; readonly entities?: WireEntities };
  readonly article?: { readonly title?: string; readonly plain_text?: string };
  readonly geo?: { readonly place_id?: string };
  readonly lang?: string;
  readonly possibly_sensitive?: boolean;
  readonly paid_partnership?: boolean;
  readonly reply_settings?: string;
  readonly source?: string;
  readonly public_metrics?: {
    readonly reply_count: number;
    readonly retweet_count: number;
    readonly quote_count: number;
    readonly like_count: number;
  };
}

export interface WireMedia {
  readonly media_key: string;
  readonly type: 'photo' | 'video' | 'animated_gif';
  readonly url?: string;
  readonly preview_image_url?: string;
  readonly alt_text?: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration_ms?: number;
  readonly variants?: readonly { readonly url: string; readonly content_type: string }[];
}

export interface WirePoll {
  readonly id: string;
  readonly options: readonly { readonly position: number; readonly label: string; readonly votes: number }[];
  readonly voting_status?: 'open' | 'closed';
  readonly end_datetime?: string;
}

export interface WirePlace {
  readonly id: string;
  readonly full_name: string;
}

export interface WireSpace {
  readonly id: string;
  readonly state: 'live' | 'scheduled' | 'ended';
  readonly title?: string;
  readonly creator_id?: string;
  readonly host_ids?: readonly string[];
  readonly speaker_ids?: readonly string[];
  readonly invited_user_ids?: readonly string[];
  readonly is_ticketed?: boolean;
  readonly participant_count?: number;
  readonly scheduled_start?: string;
  readonly started_at?: string;
  readonly ended_at?: string;
  /** The number of tickets, for the creator only. */
  readonly subscriber_count?: number;
  readonly topics?: readonly { readonly id: string; readonly name: string }[];
}

/** An entry of `errors` beside `data` (docs/api/errors.md#partial-errors). */
export interface WireError {
  readonly title: string;
  readonly detail: string;
  readonly type: string;
  readonly resource_id?: string;
}

export interface WireIncludes {
  readonly tweets?: readonly WirePost[];
  readonly users?: readonly WireUser[];
  readonly media?: readonly WireMedia[];
  readonly polls?: readonly WirePoll[];
  readonly places?: readonly WirePlace[];
}

/** The body of a successful answer. */
export interface Envelope<T> {
  readonly data?: T;
  readonly includes?: WireIncludes;
  readonly errors?: readonly WireError[];
  readonly meta?: {
    readonly result_count?: number;
    readonly next_token?: string;
    readonly previous_token?: string;
  };
}
