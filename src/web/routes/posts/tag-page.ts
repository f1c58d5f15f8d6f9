import type { Answer } from '../../../http/answer.js';
import { html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import type { WirePost } from '../../api/objects.js';
import { cardsOfIds } from '../../posts/load-cards.js';
import { isTag, tagPath, type TagSign } from '../../posts/paths.js';
import { socialTags } from '../../posts/social-tags.js';
import type { Visit } from '../../visit.js';
import { beforeOf, FIRST_TIME, postList, POSTS_PER_PAGE, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/**
 * `/hashtag/{tag}` and `/cashtag/{tag}`: public posts with a tag, newest first; the query parameter `before` pages.
 */
export async function showTagged(visit: Visit, deps: WebContext, sign: TagSign): Promise<Answer> {
  const tag = visit.request.path['tag'] ?? '';
  if (!isTag(sign, tag)) throw new PipitError({ code: 'route-not-found' });
  const found = await visit.api.asApp().call<WirePost[]>('tweetsFullarchiveSearch', {
    query: `${sign}${tag} -is:retweet`,
    // Search requires at least 10; without a start it would cover 30 days.
    max_results: POSTS_PER_PAGE,
    start_time: FIRST_TIME,
    until_id: beforeOf(visit),
  });
  const title = sign + tag;
  const path = tagPath(sign, tag);
  const description = `Posts with ${title}`;
  const ids = (found.data ?? []).map(({ id }) => id);
  const cards = await cardsOfIds(visit.api, ids);
  const last = ids.at(-1);
  return showPage(
    visit,
    {
      title,
      head: socialTags({ type: 'article', title, description, path }, deps.publicUrl),
      isPublic: true,
    },
    html`<h1><bdi>${title}</bdi></h1>
      ${postList(visit, deps, {
        cards: [...cards.values()],
        path,
        next: found.meta?.next_token === undefined || last === undefined ? undefined : { before: last },
        none: 'No public posts with this tag.',
        label: description,
      })}`,
  );
}
