import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { parseId, type PostId, type UserId } from '../../../core/ids.js';
import { plainLine } from '../../../core/plain-line.js';
import { escapeText } from '../../../core/post-text/escape.js';
import type { Profile } from '../../../views/cards/profile.js';
import { userPicture, verifiedMark } from '../../posts/author.js';
import { profilePath } from '../../posts/paths.js';
import { writtenText } from '../../posts/post-card.js';
import { richText, webLink } from '../../posts/rich-text.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import { shownName } from '../../shown-name.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { postList, POSTS_PER_PAGE, refusePage, showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** `/{username}` and `/i/user/{id}`: a profile with its posts, newest first; the query parameter `before` pages. */
export async function showProfile(visit: Visit, deps: WebContext): Promise<Answer> {
  const { path, url } = visit.request;
  const name = path['username'] ?? parseId<UserId>(path['id'] ?? '');
  const profile = name === undefined ? undefined : await deps.views.profile(name, visit.viewer?.user.id);
  if (profile === undefined) throw new PipitError({ code: 'route-not-found' });
  if (profile === 'suspended') return refusePage(visit, 'suspended');
  const { user } = profile;
  const right = profilePath(user);
  const [sent = '', ...query] = url.split('?');
  if (sent !== right) return visit.goTo([right, ...query].join('?'));
  return showPage(
    visit,
    {
      title: `${shownName(user)} (@${user.username})`,
      head: tagsOf(profile, deps.publicUrl),
      isPublic: !user.protected,
    },
    html`${header(profile, deps.publicUrl)} ${await posts(visit, profile, deps)}`,
  );
}

function header({ user, counts, mentioned }: Profile, publicUrl: string): Html {
  const about = richText({
    wireText: escapeText(user.description),
    entities: user.entities?.description,
    mentioned,
  });
  return html`<header class="profile">
    <div class="head">
      ${userPicture(user, '_400x400', publicUrl)}
      <div>
        <h1><bdi>${shownName(user)}</bdi>${verifiedMark(user)}</h1>
        <p class="handle">@${user.username}${user.protected && html` <span class="mark">Protected</span>`}</p>
      </div>
    </div>
    ${user.description !== '' && writtenText(about)}
    <ul class="facts">
      ${user.location !== undefined && user.location !== '' && html`<li><bdi>${plainLine(user.location)}</bdi></li>`}
      ${user.url !== undefined && user.url !== '' && html`<li>${webLink(profileUrl(user))}</li>`}
      <li>Joined ${dayText(user.createdAtMs)}</li>
    </ul>
    <ul class="counts">
      ${counted(counts.posts, 'post', 'posts')} ${counted(counts.following, 'following', 'following')}
      ${counted(counts.followers, 'follower', 'followers')}
    </ul>
  </header>`;
}

/** Archives store short links together with their targets. */
function profileUrl({ url, entities }: Profile['user']): string {
  return entities?.url?.urls?.[0]?.expanded_url ?? url ?? '';
}

function counted(count: number, one: string, several: string): Html {
  return html`<li><strong>${count.toLocaleString('en')}</strong> ${count === 1 ? one : several}</li>`;
}

async function posts(visit: Visit, { user, posts: visibility }: Profile, deps: WebContext): Promise<Html> {
  if (visibility !== 'visible') return closedNote(visit, user.protected);
  const before = parseId<PostId>(visit.query.get('before') ?? '');
  const page = await deps.timelines.userPosts(user.id, {
    page: { limit: POSTS_PER_PAGE },
    bounds: { untilId: before },
    withoutReplies: false,
  });
  return html`<section aria-label="Posts">
    <h2>Posts</h2>
    ${await postList(visit, deps, {
      ids: page.items,
      path: profilePath(user),
      before,
      next: page.next && page.items.at(-1),
      none: before === undefined ? 'No posts yet.' : 'No more posts.',
    })}
  </section>`;
}

function closedNote(visit: Visit, isProtected: boolean): Html {
  if (!isProtected) return html`<p class="note">You are blocked from seeing these posts.</p>`;
  return html`<p class="note">
    These posts are protected: only approved followers can see
    them.${!visit.viewer && ' Sign in if you are one of them.'}
  </p>`;
}

function tagsOf({ user }: Profile, publicUrl: string): Html {
  return socialTags(
    {
      type: 'profile',
      title: `${shownName(user)} (@${user.username})`,
      description: user.description,
      path: profilePath(user),
      image: faceImage(user),
    },
    publicUrl,
  );
}
