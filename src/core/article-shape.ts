import { ARTICLE_ENTITY_TYPES, BLOCK_TYPES, INLINE_STYLES, MUTABILITIES } from './article.js';
import { ID_PATTERN, parseId } from './ids.js';
import { ARTICLE_LIMITS } from './limits.js';
import * as v from './validators.js';

/** The shape of an article as it is sent (docs/api/posts.md#articles). */

const MAX_INDEX = 1_000_000;
const index = v.integer({ min: 0, max: MAX_INDEX });
const shortText = v.text({ max: 2_048 });
const idText = v.leaf({ type: 'string', pattern: ID_PATTERN.source }, { kind: 'id' }, (value) =>
  typeof value === 'string' && parseId(value) !== undefined ? value : undefined,
);
const ranges = <T>(item: v.Validator<T>, description: string) =>
  v.list(item, { min: 0, max: ARTICLE_LIMITS.ranges, description });

const spans = ranges(
  v.object({
    from_index: v.required(index),
    to_index: v.required(index),
    text: v.required(shortText),
  }),
  'Spans of the text.',
);

const block = v.object({
  type: v.required(v.oneOf(BLOCK_TYPES)),
  text: v.required(v.text({ max: ARTICLE_LIMITS.characters })),
  key: v.text({ max: 64 }),
  data: v.object({ cashtags: spans, hashtags: spans, mentions: spans, urls: spans }),
  inline_style_ranges: ranges(
    v.object({
      offset: v.required(index),
      length: v.required(index),
      style: v.required(v.oneOf(INLINE_STYLES)),
    }),
    'Formatted parts of the text.',
  ),
  entity_ranges: ranges(
    v.object({
      offset: v.required(index),
      length: v.required(index),
      key: v.required(index),
    }),
    'Parts of the text that stand for entities; `key` is an index into `entities`.',
  ),
});

/** The medium of an entity or of the cover. */
export const articleMediaItem = {
  media_category: v.required(v.text({ min: 1, max: 64 })),
  media_id: v.required(idText),
};

const entity = v.object({
  key: v.required(v.text({ max: 64 })),
  value: v.required(
    v.object({
      type: v.required(v.oneOf(ARTICLE_ENTITY_TYPES)),
      mutability: v.required(v.oneOf(MUTABILITIES)),
      data: v.required(
        v.object({
          caption: shortText,
          entity_key: v.text({ max: 64 }),
          markdown: v.text({ max: ARTICLE_LIMITS.markdown }),
          media_items: v.list(v.object(articleMediaItem), { min: 0, max: ARTICLE_LIMITS.media }),
          post_id: idText,
          url: v.text({ max: 2_048, pattern: /^https?:\/\/\S+$/ }),
        }),
      ),
    }),
  ),
});

export const articleContent = v.object({
  blocks: v.required(
    v.list(block, { min: 1, max: ARTICLE_LIMITS.blocks, description: 'The paragraphs, in order.' }),
  ),
  entities: v.required(
    v.list(entity, { min: 0, max: ARTICLE_LIMITS.entities, description: 'What blocks refer to.' }),
  ),
});
