import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { plainLine } from '../../../core/plain-line.js';
import { escapeText } from '../../../core/post-text/escape.js';
import type { WireUser } from '../../api/objects.js';
import { counted } from '../../counted.js';
import { verifiedMark } from '../../posts/author.js';
import { profileBanner, profilePicture } from '../../posts/masthead.js';
import { profilePath } from '../../posts/paths.js';
import { writtenText } from '../../posts/post-card.js';
import { richText, webLink } from '../../posts/rich-text.js';
import { faceImage, socialTags } from '../../posts/social-tags.js';
import { shownName } from '../../shown-name.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { feedLink, feedLinks } from '../feeds/feed-links.js';
import { profileActions, relationMarks } from './profile-actions.js';
import { findProfile } from '../profiles/find-profile.js';
import { PROFILE_TABS, profileTab, type ProfileTabName } from '../profiles/profile-tabs.js';
import { showPage } from './public-pages.js';
import type { WebContext } from '../../web-context.js';

/** `/{username}` and `/i/user/{id}`: a profile with its posts, newest first, or another of its tabs. */
export async function showProfile(
  visit: Visit,
  deps: WebContext,
  name: ProfileTabName = '',
): Promise<Answer> {
  const found = await findProfile(visit, name === '' ? '' : `/${name}`);
  if (!('user' in found)) return found;
  const { user } = found;
  const title = `${shownName(user)} (@${user.username})`;
  return showPage(
    visit,
    {
      title: name === '' ? title : `${PROFILE_TABS[name].label} of ${title}`,
      head: tagsOf(user, deps.publicUrl),
      isPublic: user.protected !== true,
      feeds: user.protected === true ? undefined : feedLinks(profilePath(user), shownName(user)),
    },
    html`${await header(visit, user, deps.publicUrl)} ${await profileTab(visit, deps, user, name)}`,
  );
}

async function header(visit: Visit, user: WireUser, publicUrl: string): Promise<Html> {
  const about = richText({
    wireText: escapeText(user.description ?? ''),
    entities: user.entities?.description,
    mentioned: await mentionedUsers(visit, user),
  });
  const { public_metrics: counts } = user;
  return html`<header class="profile">
    ${profileBanner(user, publicUrl)}
    <div class="head">
      ${profilePicture(user, publicUrl)}
      <div>
        <h1><bdi>${shownName(user)}</bdi>${verifiedMark(user)}</h1>
        <p class="handle">
          @${user.username}${user.protected === true && html` <span class="mark">Protected</span>`}${relationMarks(user)}
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
      ${countItem(counts?.tweet_count, 'post', 'posts')}
      ${countItem(counts?.following_count, 'following', 'following', `${profilePath(user)}/following`)}
      ${countItem(counts?.followers_count, 'follower', 'followers', `${profilePath(user)}/followers`)}
      ${user.protected !== true && html`<li>${feedLink(profilePath(user))}</li>`}
    </ul>
  </header>`;
}

/** Archives store short links together with their targets. */
function profileUrl({ url, entities }: WireUser): string {
  return entities?.url?.urls?.[0]?.expanded_url ?? url ?? '';
}

function countItem(count = 0, one: string, several: string, path?: string): Html {
  const text = counted(count, one, several);
  return html`<li>
    ${path === undefined || path.startsWith('/i/') ? text : html`<a href="${path}">${text}</a>`}
  </li>`;
}

/** Returns the existing accounts that a profile mentions, by id. */
async function mentionedUsers({ api }: Visit, user: WireUser): Promise<ReadonlyMap<string, WireUser>> {
  const ids = (user.entities?.description?.mentions ?? []).flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const { data = [] } = await api.call<WireUser[]>('findUsersById', { ids: [...new Set(ids)].slice(0, 100) });
  return new Map(data.map((each) => [each.id, each]));
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
