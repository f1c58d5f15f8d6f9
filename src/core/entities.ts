/**
 * Entities in wire format (docs/api/objects.md#entities). Offsets count code points of the escaped text (annotations:
 * UTF-16 units, end inclusive). Imported posts may have more members, which are kept unchanged.
 */
export interface Entities {
  readonly annotations?: readonly AnnotationEntity[];
  readonly cashtags?: readonly TagEntity[];
  readonly hashtags?: readonly TagEntity[];
  readonly mentions?: readonly MentionEntity[];
  readonly urls?: readonly UrlEntity[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface TagEntity extends Span {
  readonly tag: string;
}

export interface MentionEntity extends Span {
  readonly username: string;
  /** Absent if the account is unknown. */
  readonly id?: string;
}

export interface UrlEntity extends Span {
  readonly url: string;
  readonly expanded_url?: string;
  readonly display_url?: string;
  readonly unwound_url?: string;
  readonly status?: number;
  readonly title?: string;
  readonly description?: string;
  readonly images?: readonly { readonly url: string; readonly width: number; readonly height: number }[];
  readonly media_key?: string;
}

interface AnnotationEntity extends Span {
  readonly probability: number;
  readonly type: string;
  readonly normalized_text: string;
}

/** The entities of a user's link and description. */
export interface UserEntities {
  readonly url?: { readonly urls?: readonly UrlEntity[] };
  readonly description?: Omit<Entities, 'annotations'>;
}
