import { ARTICLE_ENTITY_TYPES, BLOCK_TYPES, INLINE_STYLES, MUTABILITIES } from '../../core/article.js';
import { ID_PATTERN, parseId, type ArticleId, type MediaId } from '../../core/ids.js';
import { ARTICLE_LIMITS } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { idField, jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour, POST_BUDGET, userWrite } from '../endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';

/** See docs/api/posts.md#articles. */

const common = { tag: 'Articles', access: userWrite('tweet.write'), method: 'POST' } as const;

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

const media = { media_category: v.required(v.text({ min: 1, max: 64 })), media_id: v.required(idText) };

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
          media_items: v.list(v.object(media), { min: 0, max: ARTICLE_LIMITS.media }),
          post_id: idText,
          url: v.text({ max: 2_048, pattern: /^https?:\/\/\S+$/ }),
        }),
      ),
    }),
  ),
});

const draftBody = jsonBody(
  v.object({
    title: v.required(v.text({ min: 1, max: ARTICLE_LIMITS.title, example: 'Birds of the pond' })),
    content_state: v.required(
      v.object({
        blocks: v.required(
          v.list(block, { min: 1, max: ARTICLE_LIMITS.blocks, description: 'The paragraphs, in order.' }),
        ),
        entities: v.required(
          v.list(entity, { min: 0, max: ARTICLE_LIMITS.entities, description: 'What blocks refer to.' }),
        ),
      }),
    ),
    cover_media: v.object({ ...media, media_id: v.required(idField<MediaId>('Unused media of the user.')) }),
  }),
);

const id = { type: 'string' };

export const articleEndpoints: readonly AnyEndpoint[] = [
  endpoint({
    ...common,
    operationId: 'articleCreateDraft',
    summary: 'Stores the draft of an article',
    path: '/2/articles/draft',
    rateLimits: perQuarterHour({ user: 200 }),
    body: draftBody,
    success: 201,
    response: dataSchema({ id, title: { type: 'string' } }),
    handler: async ({ articles }, { principal, body }) => {
      const { title, content_state: content, cover_media: cover } = body;
      const article = await articles.draft(principal, { title, content, coverMediaId: cover?.media_id });
      return { data: { id: String(article.id), title: article.title } };
    },
  }),
  endpoint({
    ...common,
    operationId: 'articlePublish',
    summary: 'Publishes a draft of the user as a post',
    path: '/2/articles/{article_id}/publish',
    rateLimits: [...perQuarterHour({ user: 200 }), POST_BUDGET],
    params: { article_id: inPath(idParam<ArticleId>('The draft.')) },
    response: dataSchema({ post_id: id }),
    handler: async ({ articles }, { principal, params }) => {
      const post = await articles.publish(principal, params.article_id);
      return { data: { post_id: String(post.id) } };
    },
  }),
];
