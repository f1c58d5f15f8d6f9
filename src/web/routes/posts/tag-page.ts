import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import type { Principal } from '../../../core/access.js';
import { PipitError } from '../../../core/errors.js';
import { parseId, type AppId, type PostId } from '../../../core/ids.js';
import { FIRST_POST_MS } from '../../../services/search/window.js';
import { isTag, tagPath, type TagSign } from '../../posts/paths.js';
import { socialTags } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';
import { postList, POSTS_PER_PAGE, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** Pages search as an app does; only public posts are indexed. */
const READER: Principal = {
  context: 'app',
  app: {
    id: 0n as AppId,
    name: 'pages',
    clientId: 'pages',
    accessLevel: 'elevated',
    track: 'standard',
    permissions: 'read',
  },
};

/**
 * `/hashtag/{tag}` and `/cashtag/{tag}`: public posts with a tag, newest first; the query parameter `before` pages.
 */
export async function showTagged(visit: Visit, deps: WebContext, sign: TagSign): Promise<Answer> {
  const tag = visit.request.path['tag'] ?? '';
  if (!isTag(sign, tag)) throw new PipitError({ code: 'route-not-found' });
  const before = parseId<PostId>(visit.query.get('before') ?? '');
  const page = await deps.search({
    product: 'all',
    query: `${sign}${tag} -is:retweet`,
    principal: READER,
    bounds: { startTimeMs: FIRST_POST_MS, untilId: before },
    order: 'recency',
    page: { limit: POSTS_PER_PAGE },
  });
  const title = sign + tag;
  const path = tagPath(sign, tag);
  const description = `Posts with ${title}`;
  return showPage(
    visit,
    {
      title,
      head: socialTags({ type: 'article', title, description, path }, deps.publicUrl),
      isPublic: true,
    },
    html`<h1><bdi>${title}</bdi></h1>
      ${await postList(visit, deps, {
        ids: page.items,
        path,
        before,
        next: page.next?.position,
        none: 'No public posts with this tag.',
      })}`,
  );
}
