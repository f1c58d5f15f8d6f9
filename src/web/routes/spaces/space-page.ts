import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { plainLine } from '../../../core/plain-line.js';
import { USER_SELECTION } from '../../api/fields.js';
import type { WireUser } from '../../api/objects.js';
import { counted } from '../../counted.js';
import type { Faults } from '../../fields.js';
import { NO_FAULTS } from '../../forms.js';
import { factList } from '../../lists.js';
import { authorLine, userPicture } from '../../posts/author.js';
import { socialTags } from '../../posts/social-tags.js';
import { spacePath, SPACES_PATH, spaceTitle, stateMark } from '../../posts/space-card.js';
import { userList } from '../../posts/user-list.js';
import { momentText } from '../../times.js';
import { isSignedIn, type Visit } from '../../visit.js';
import type { WebContext } from '../../web-context.js';
import { postList, readPosts, refusePage, showPage } from '../posts/public-pages.js';
import { hostForms, type SpaceSettings } from './space-form.js';
import { findSpace, type FoundSpace } from './space-objects.js';

/** `/i/spaces/{id}`: a Space with its people and shared posts; its creator changes, starts and ends it there. */
export async function showSpace(
  visit: Visit,
  context: WebContext,
  faults: Faults = NO_FAULTS,
  entered?: SpaceSettings,
): Promise<Answer> {
  const found = await findSpace(visit);
  if (!found) return refusePage(visit, 'not-authorized');
  const { space, users, isOwn } = found;
  const creator = users.get(space.creator_id ?? '');
  const title = spaceTitle(space);
  const tags = {
    type: 'article',
    title,
    description: `A Space on Pipit`,
    path: spacePath(space.id),
  } as const;
  return showPage(
    visit,
    {
      title,
      head: socialTags(tags, context.publicUrl),
      isPublic: creator?.protected === false,
      isRefused: faults.size > 0,
    },
    html`<p><a href="${SPACES_PATH}">All Spaces</a></p>
      <header class="profile space-header">
        ${stateMark(space)}
        <h1 dir="auto">${title}</h1>
        ${facts(found)}
      </header>
      ${isOwn && isSignedIn(visit) && hostForms(visit, space, faults, entered)}
      ${people('Hosts', space.host_ids, found, context)}
      ${people('Speakers', space.speaker_ids, found, context)}
      ${people('Invited', space.invited_user_ids, found, context)}
      ${isOwn && (await buyers(visit, found, context))}
      <section>
        <h2>Shared posts</h2>
        ${await sharedPosts(visit, found, context)}
      </section>`,
  );
}

function facts({ space }: FoundSpace): Html {
  const moment = (time: string | undefined) => time !== undefined && momentText(Date.parse(time));
  const topics = (space.topics ?? []).map(({ name }) => plainLine(name)).join(', ');
  return factList({
    Starts: space.state === 'scheduled' && moment(space.scheduled_start),
    Started: moment(space.started_at),
    Ended: moment(space.ended_at),
    Participants: space.state !== 'scheduled' && counted(space.participant_count ?? 0, 'person', 'people'),
    Topics: topics !== '' && html`<bdi>${topics}</bdi>`,
    Tickets: space.is_ticketed === true && ticketText(space.subscriber_count),
  });
}

function ticketText(sold: number | undefined): Html {
  return sold === undefined ? html`needed` : html`${counted(sold, 'ticket', 'tickets')} sold`;
}

function people(
  heading: string,
  ids: readonly string[] = [],
  { users }: FoundSpace,
  { publicUrl }: WebContext,
): Html | undefined {
  const known = ids.flatMap((id) => users.get(id) ?? []);
  if (known.length === 0) return undefined;
  return html`<section>
    <h2>${heading}</h2>
    <ul class="space-people">
      ${known.map((user) => html`<li>${userPicture(user, '_bigger', publicUrl)}${authorLine(user)}</li>`)}
    </ul>
  </section>`;
}

/** Returns the newest buyers of tickets, which only the creator sees; undefined if there are none. */
async function buyers(
  { api }: Visit,
  { space }: FoundSpace,
  { publicUrl }: WebContext,
): Promise<Html | undefined> {
  if (space.is_ticketed !== true) return undefined;
  const { data = [] } = await api.call<WireUser[]>('spaceBuyers', { id: space.id, ...USER_SELECTION });
  return html`<section>
    <h2>Buyers of tickets</h2>
    <p class="hint">Only you see them.</p>
    ${userList(data, publicUrl, 'Nobody has bought a ticket yet.')}
  </section>`;
}

async function sharedPosts(visit: Visit, { space }: FoundSpace, context: WebContext): Promise<Html> {
  const { cards, next } = await readPosts(visit, 'spaceTweets', space.id);
  return postList(visit, context, {
    cards,
    path: spacePath(space.id),
    next,
    none: 'No posts were shared in this Space.',
    label: 'Shared posts',
  });
}
