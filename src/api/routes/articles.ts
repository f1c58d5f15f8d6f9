import { articleContent, articleMediaItem } from '../../core/article-shape.js';
import type { ArticleId, MediaId } from '../../core/ids.js';
import { ARTICLE_LIMITS } from '../../core/limits.js';
import * as v from '../../core/validators.js';
import { idField, jsonBody } from '../body/body.js';
import { type AnyEndpoint, endpoint, perQuarterHour, POST_BUDGET, userWrite } from '../endpoint.js';
import { idParam, inPath } from '../params/params.js';
import { dataSchema } from '../schemas/envelopes.js';

/** See docs/api/posts.md#articles. */

const common = { tag: 'Articles', access: userWrite('tweet.write'), method: 'POST' } as const;

const draftBody = jsonBody(
  v.object({
    title: v.required(v.text({ min: 1, max: ARTICLE_LIMITS.title, example: 'Birds of the pond' })),
    content_state: v.required(articleContent),
    cover_media: v.object({
      ...articleMediaItem,
      media_id: v.required(idField<MediaId>('Unused media of the user.')),
    }),
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
