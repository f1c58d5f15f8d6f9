import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId } from '../../../core/ids.js';
import { plainLine } from '../../../core/plain-line.js';
import { escapeText } from '../../../core/post-text/escape.js';
import { POST_SELECTION, PROFILE_SELECTION } from '../../api/fields.js';
import type { Envelope, WirePost, WireUser } from '../../api/objects.js';
import { userPicture, verifiedMark } from '../../posts/author.js';
import { cardsOf } from '../../posts/load-cards.js';
import { profilePath } from '../../posts/paths.js';
import { writtenText } from '../../posts/post-card.js';
import { richText, webLink } from '../../posts/rich-text.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import { shownName } from '../../shown-name.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { feedLinks } from '../feeds/feed-links.js';
import { profileActions } from './profile-actions.js';
import { beforeOf, isSuspended, postList, POSTS_PER_PAGE, refusePage, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** `/{username}` and `/i/user/{id}`: a profile with its posts, newest first; the query parameter `before` pages. */
export async function showProfile(visit: Visit, deps: WebContext): Promise<Answer> {
  const found = await findProfile(visit);
  const { data: user } = found;
  if (user === undefined) {
    if (isSuspended(found)) return refusePage(visit, 'suspended');
    throw new PipitError({ code: 'route-not-found' });
  }
  const right = profilePath(user);
  const [sent = '', ...query] = visit.request.url.split('?');
  if (sent !== right) return visit.goTo([right, ...query].join('?'));
  return showPage(
    visit,
    {
      title: `${shownName(user)} (@${user.username})`,
      head: tagsOf(user, deps.publicUrl),
      isPublic: user.protected !== true,
      feeds: user.protected === true ? undefined : feedLinks(right, shownName(user)),
    },
    html`${await header(visit, user, deps.publicUrl)} ${await posts(visit, user, deps)}`,
  );
}

function findProfile({ api, request: { path } }: Visit): Promise<Envelope<WireUser>> {
  const { username, id = '' } = path;
  if (username !== undefined) return api.call('findUserByUsername', { username, ...PROFILE_SELECTION });
  if (parseId(id) === undefined) throw new PipitError({ code: 'route-not-found' });
  return api.call('findUserById', { id, ...PROFILE_SELECTION });
}

async function header(visit: Visit, user: WireUser, publicUrl: string): Promise<Html> {
  const about = richText({
    wireText: escapeText(user.description ?? ''),
    entities: user.entities?.description,
    mentioned: await mentionedUsers(visit, user),
  });
  const { public_metrics: counts } = user;
  return html`<header class="profile">
    <div class="head">
      ${userPicture(user, '_400x400', publicUrl)}
      <div>
        <h1><bdi>${shownName(user)}</bdi>${verifiedMark(user)}</h1>
        <p class="handle">
          @${user.username}${user.protected === true && html` <span class="mark">Protected</span>`}
        </p>
      </div>
    </div>
    ${profileActions(visit, user)} ${(user.description ?? '') !== '' && writtenText(about)}
    <ul class="facts">
      ${user.location !== undefined && user.location !== '' && html`<li><bdi>${plainLine(user.location)}</bdi></li>`}
      ${user.url !== undefined && user.url !== '' && html`<li>${webLink(profileUrl(user))}</li>`}
      ${user.created_at !== undefined && html`<li>Joined ${dayText(Date.parse(user.created_at))}</li>`}
    </ul>
    <ul class="counts">
      ${counted(counts?.tweet_count, 'post', 'posts')}
      ${counted(counts?.following_count, 'following', 'following', `${profilePath(user)}/following`)}
      ${counted(counts?.followers_count, 'follower', 'followers', `${profilePath(user)}/followers`)}
    </ul>
  </header>`;
}

/** Archives store short links together with their targets. */
function profileUrl({ url, entities }: WireUser): string {
  return entities?.url?.urls?.[0]?.expanded_url ?? url ?? '';
}

function counted(count = 0, one: string, several: string, path?: string): Html {
  const text = html`<strong>${count.toLocaleString('en')}</strong> ${count === 1 ? one : several}`;
  return html`<li>
    ${path === undefined || path.startsWith('/i/') ? text : html`<a href="${path}">${text}</a>`}
  </li>`;
}

async function posts(visit: Visit, user: WireUser, deps: WebContext): Promise<Html> {
  const before = beforeOf(visit);
  const found = await visit.api.call<WirePost[]>('usersIdTweets', {
    id: user.id,
    max_results: POSTS_PER_PAGE,
    until_id: before,
    ...POST_SELECTION,
  });
  if (found.data === undefined && found.errors !== undefined)
    return closedNote(visit, user.protected === true);
  const last = found.data?.at(-1)?.id;
  return html`<section aria-label="Posts">
    <h2>Posts</h2>
    ${postList(visit, deps, {
      cards: await cardsOf(visit.api, found),
      path: profilePath(user),
      next: found.meta?.next_token === undefined || last === undefined ? undefined : { before: last },
      none: before === undefined ? 'No posts yet.' : 'No more posts.',
      label: `Posts of ${user.username}`,
    })}
  </section>`;
}

/** Returns the existing accounts that a profile mentions, by id. */
async function mentionedUsers({ api }: Visit, user: WireUser): Promise<ReadonlyMap<string, WireUser>> {
  const ids = (user.entities?.description?.mentions ?? []).flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const { data = [] } = await api.call<WireUser[]>('findUsersById', { ids: [...new Set(ids)].slice(0, 100) });
  return new Map(data.map((each) => [each.id, each]));
}

function closedNote(visit: Visit, isProtected: boolean): Html {
  if (!isProtected) return html`<p class="note">You are blocked from seeing these posts.</p>`;
  return html`<p class="note">
    These posts are protected: only approved followers can see
    them.${!visit.viewer && ' Sign in if you are one of them.'}
  </p>`;
}

function tagsOf(user: WireUser, publicUrl: string): Html {
  return socialTags(
    {
      type: 'profile',
      title: `${shownName(user)} (@${user.username})`,
      description: user.description ?? '',
      path: profilePath(user),
      image: faceImage(user),
    },
    publicUrl,
  );
}
