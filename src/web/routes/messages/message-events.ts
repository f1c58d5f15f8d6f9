import { html, type Html } from '../../../api/reference/html.js';
import { unescapeText } from '../../../core/post-text/escape.js';
import { POST_SELECTION, USER_SELECTION } from '../../api/fields.js';
import type { WireEntities, WireIncludes, WireUser } from '../../api/objects.js';
import { authorLine } from '../../posts/author.js';
import { framedMedia } from '../../posts/media-file.js';
import { withTypedLinks } from '../../posts/typed-links.js';
import { richText } from '../../posts/rich-text.js';
import { shownName } from '../../shown-name.js';
import { timeText } from '../../times.js';
import { deletionPath, mediaPath } from './message-paths.js';

/** An event of a conversation as the API returns it (docs/api/objects.md#message-event). */
export interface WireEvent {
  readonly id: string;
  readonly event_type: string;
  readonly text?: string;
  readonly sender_id?: string;
  readonly created_at?: string;
  readonly entities?: WireEntities;
  /** The users who joined or left. */
  readonly participant_ids?: readonly string[];
  readonly attachments?: { readonly media_keys?: readonly string[] };
}

/** What pages of messages select of users. */
export const USER_FIELDS = { 'user.fields': USER_SELECTION['user.fields'] };

/** What pages select of events. */
export const EVENT_SELECTION = {
  'dm_event.fields': [
    'attachments',
    'created_at',
    'entities',
    'event_type',
    'participant_ids',
    'sender_id',
    'text',
  ],
  'media.fields': POST_SELECTION['media.fields'],
  expansions: ['attachments.media_keys', 'participant_ids', 'sender_id'],
  ...USER_FIELDS,
};

/** What events are shown with. */
export interface Shown {
  readonly includes: WireIncludes;
  readonly ownId: string;
  readonly publicUrl: string;
  readonly nowMs: number;
  /** The id of the conversation, if its messages can be deleted. */
  readonly conversation?: string;
}

/** Returns the events of a conversation, oldest first. What happened in a row, such as several joins, is one line. */
export function eventList(events: readonly WireEvent[], shown: Shown): Html {
  return html`<ol class="messages">
    ${runsOf(events).map((run) =>
      run[0].event_type === 'MessageCreate' ? message(run[0], shown) : happening(run, shown),
    )}
  </ol>`;
}

/** Returns a message as it is shown in its conversation. */
function message(event: WireEvent, shown: Shown): Html {
  const { includes, ownId, conversation } = shown;
  const isOwn = event.sender_id === ownId;
  const sender = userOf(includes, event.sender_id);
  return html`<li
    id="message-${event.id}"
    class="${isOwn ? 'own' : ''}"
    data-from="${!isOwn && nameOf(sender)}"
  >
    ${!isOwn && authorLine(sender)} ${messageBody(event, shown)}
    <p class="below">
      ${time(event, shown)}
      ${
        conversation !== undefined &&
        html`<a href="${deletionPath(conversation, event.id)}"
          >Delete<span class="hidden"> this message</span></a
        >`
      }
    </p>
  </li>`;
}

/** Returns the text and the file of a message. */
export function messageBody(event: WireEvent, { includes, publicUrl }: Shown): Html {
  const keys = event.attachments?.media_keys ?? [];
  const files = (includes.media ?? []).filter((each) => keys.includes(each.media_key));
  const { text: wireText = '' } = event;
  const users = new Map((includes.users ?? []).map((user) => [user.id, user]));
  const text = richText({
    wireText,
    entities: withTypedLinks(wireText, event.entities),
    mentioned: users,
    isShown: ({ media_key: key }) => key !== undefined,
  });
  return html`<div class="text" dir="auto">${text}</div>
    ${
      files.length > 0 &&
      html`<div class="attached">
        ${files.map((file) => framedMedia(file, mediaPath(event.id), publicUrl))}
      </div>`
    }`;
}

function happening(run: Run, shown: Shown): Html {
  const last = run.at(-1) ?? run[0];
  return html`<li id="message-${last.id}" class="happening">
    ${happeningText(run, shown.includes)} ${time(last, shown)}
  </li>`;
}

function time({ created_at: createdAt }: WireEvent, { nowMs }: Shown): Html | undefined {
  if (createdAt === undefined) return undefined;
  return html`<span class="time">${timeText(Date.parse(createdAt), nowMs)}</span>`;
}

/** Events of one kind that follow each other. */
type Run = [WireEvent, ...WireEvent[]];

/** Returns messages one by one, and joins by one inviter and departures that follow each other together. */
function runsOf(events: readonly WireEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const [before] = run ?? [];
    const belongs =
      event.event_type !== 'MessageCreate' &&
      before?.event_type === event.event_type &&
      before.sender_id === event.sender_id;
    if (belongs) run?.push(event);
    else runs.push([event]);
  }
  return runs;
}

/** Returns the newest event of a conversation in one line. */
export function excerptOf(event: WireEvent, includes: WireIncludes): Html {
  if (event.event_type !== 'MessageCreate') return happeningText([event], includes);
  const { text = '', attachments } = event;
  // The last word of a message with a file is a link to it (docs/api/messages.md#events).
  const typed = attachments ? text.slice(0, Math.max(0, text.lastIndexOf(' '))) : text;
  return html`${unescapeText(typed) || 'A picture or a video'}`;
}

/** Says who joined or left. Each name has its own direction. */
function happeningText(run: Run, includes: WireIncludes): Html {
  const [first] = run;
  const people = run.flatMap(({ participant_ids: ids = [] }) =>
    ids.map((id) => nameOf(userOf(includes, id))),
  );
  const names = AND.formatToParts(people.length > 0 ? people : ['Somebody']).map(({ type, value }) =>
    type === 'element' ? html`<bdi>${value}</bdi>` : value,
  );
  if (first.event_type === 'ParticipantsLeave') return html`${names} left.`;
  const inviter = userOf(includes, first.sender_id);
  return inviter ? html`<bdi>${shownName(inviter)}</bdi> added ${names}.` : html`${names} joined.`;
}

const AND = new Intl.ListFormat('en');

function userOf({ users = [] }: WireIncludes, id: string | undefined): WireUser | undefined {
  return users.find((user) => user.id === id);
}

function nameOf(user: WireUser | undefined): string {
  return user ? shownName(user) : 'Somebody';
}
