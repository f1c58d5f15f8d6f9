import type { ArticleId, MediaId, PostId, UserId } from './ids.js';

export const BLOCK_TYPES = [
  'unstyled',
  'header-one',
  'header-two',
  'header-three',
  'unordered-list-item',
  'ordered-list-item',
  'blockquote',
  'atomic',
] as const;
export const INLINE_STYLES = ['bold', 'italic', 'strikethrough'] as const;
export const ARTICLE_ENTITY_TYPES = [
  'post',
  'link',
  'image',
  'emoji',
  'markdown',
  'divider',
  'latex',
] as const;
export const MUTABILITIES = ['immutable', 'mutable', 'segmented'] as const;

interface Range {
  readonly offset: number;
  readonly length: number;
}

interface TaggedSpan {
  readonly from_index: number;
  readonly to_index: number;
  readonly text: string;
}

export interface ArticleBlock {
  readonly text: string;
  readonly type: (typeof BLOCK_TYPES)[number];
  readonly key?: string;
  readonly data?: Partial<
    Record<'cashtags' | 'hashtags' | 'mentions' | 'urls', readonly TaggedSpan[] | undefined>
  >;
  readonly inline_style_ranges?: readonly (Range & { readonly style: (typeof INLINE_STYLES)[number] })[];
  /** `key` is an index into the entities. */
  readonly entity_ranges?: readonly (Range & { readonly key: number })[];
}

export interface ArticleEntity {
  readonly key: string;
  readonly value: {
    readonly type: (typeof ARTICLE_ENTITY_TYPES)[number];
    readonly mutability: (typeof MUTABILITIES)[number];
    readonly data: {
      readonly caption?: string;
      readonly entity_key?: string;
      readonly markdown?: string;
      readonly media_items?: readonly { readonly media_category: string; readonly media_id: string }[];
      readonly post_id?: string;
      readonly url?: string;
    };
  };
}

/**
 * The body of an article, in the shape in which it was sent. Offsets and lengths are UTF-16
 * units of a block's text.
 */
export interface ArticleContent {
  readonly blocks: readonly ArticleBlock[];
  readonly entities: readonly ArticleEntity[];
}

export interface Article {
  readonly id: ArticleId;
  readonly authorId: UserId;
  readonly title: string;
  readonly content: ArticleContent;
  readonly coverMediaId?: MediaId;
  readonly createdAtMs: number;
  /** The post of a published article. */
  readonly postId?: PostId;
}

/** What an author sends. */
export type ArticleInput = Pick<Article, 'title' | 'content' | 'coverMediaId'>;

/** Returns the text of an article without its formatting: a line for each block with text, and Markdown as it is. */
export function plainArticle({ blocks, entities }: ArticleContent): string {
  const lines = blocks.map((block) => {
    const markdown = (block.entity_ranges ?? []).flatMap(
      ({ key }) => entities[key]?.value.data.markdown ?? [],
    );
    return markdown.length > 0 ? markdown.join('\n') : block.text.trim();
  });
  return lines.filter((line) => line !== '').join('\n');
}

/** Returns the media that an article shows, each once, the cover first. */
export function articleMedia({
  content,
  coverMediaId,
}: Pick<Article, 'content' | 'coverMediaId'>): MediaId[] {
  const items = content.entities.flatMap(({ value }) => value.data.media_items ?? []);
  const ids = [coverMediaId, ...items.map((item) => item.media_id)];
  return [...new Set(ids.filter((id) => id !== undefined).map((id) => BigInt(id) as MediaId))];
}
