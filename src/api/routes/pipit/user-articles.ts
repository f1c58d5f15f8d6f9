import { perQuarterHour, publicRead } from '../../endpoint.js';
import { ofUser, ownedPage, posts } from '../owned-page.js';

/** See docs/api/pipit.md#articles. */
export const getUserArticles = ownedPage(ofUser, posts, {
  operationId: 'getUserArticles',
  tag: 'Pipit',
  summary: 'The posts that are articles of a user, newest first',
  path: '/_pipit/users/{id}/articles',
  access: publicRead(),
  rateLimits: perQuarterHour({ app: 300, user: 300 }),
  list: ({ articles }, { params }, page) => articles.listPublished(params.id, page),
});
