import { html, type Html } from '../../api/reference/html.js';
import { plainLine } from '../../core/plain-line.js';
import type { WireSpace, WireUser } from '../api/objects.js';
import { counted } from '../counted.js';
import { icon } from '../icons.js';
import { shownName } from '../shown-name.js';
import { momentText } from '../times.js';

/** The page of all Spaces. */
export const SPACES_PATH = '/i/spaces';

/** Returns the path of the page of a Space, or of one below it. */
export function spacePath(id: string, part = ''): string {
  return `${SPACES_PATH}/${id}${part === '' ? '' : `/${part}`}`;
}

/** Returns the id of the Space that a link leads to, on any server; undefined for other links. */
export function spaceIdIn(url: string): string | undefined {
  return /^https?:\/\/[^/?#]+\/i\/spaces\/([a-zA-Z0-9]{1,13})(?:[?#]|$)/.exec(url)?.[1];
}

/** Returns the title of a Space for a page, without characters that alter the text around it. */
export function spaceTitle({ title = '' }: WireSpace): string {
  return plainLine(title, 'Space');
}

/** Returns a Space as a card that links to its page. */
export function spaceCard(space: WireSpace, creator: WireUser | undefined): Html {
  return html`<a class="space-card space-${space.state}" href="${spacePath(space.id)}">
    <span class="space-head">${stateMark(space)} ${creator && html`<bdi>${shownName(creator)}</bdi>`}</span>
    <strong class="space-title" dir="auto">${spaceTitle(space)}</strong>
    <span class="space-when">${whenOf(space)}</span>
  </a>`;
}

/** The words for the states of Spaces. */
const STATES = { live: 'Live', scheduled: 'Scheduled', ended: 'Ended' } as const;

/** Returns the sign of a Space’s state; one that ended without having been live was cancelled. */
export function stateMark({ state, started_at: started }: WireSpace): Html {
  const word = state === 'ended' && started === undefined ? 'Cancelled' : STATES[state];
  return html`<span class="space-state space-${state}">${icon('space')}${word}</span>`;
}

function whenOf({ state, started_at: started, ended_at: ended, ...space }: WireSpace): Html {
  const { scheduled_start: start, participant_count: participants = 0 } = space;
  if (state === 'scheduled')
    return start === undefined ? html`Not yet started` : html`Starts ${momentText(Date.parse(start))}`;
  if (state === 'ended') {
    const at = ended ?? started;
    return at === undefined ? html`Over` : html`Ended ${momentText(Date.parse(at))}`;
  }
  return html`${counted(participants, 'participant', 'participants')}`;
}
