import { html, type Html } from '../api/reference/html.js';
import type { FirstStep } from '../core/first-steps.js';
import { USER_SELECTION } from './api/fields.js';
import type { WireUser } from './api/objects.js';
import { icon } from './icons.js';
import { OPERATOR_PATH } from './navigation.js';
import { followButton } from './posts/follow-button.js';
import { userList } from './posts/user-list.js';
import { shownName } from './shown-name.js';
import type { SignedInVisit } from './visit.js';

/** Where the card of the first steps is dismissed. */
export const DISMISS_PATH = '/i/first-steps/dismiss';

/** The first steps as the API shows them (docs/api/pipit.md#first-steps). */
interface WireFirstSteps {
  readonly is_dismissed: boolean;
  readonly steps: readonly { readonly id: FirstStep; readonly is_done: boolean }[];
}

/** The steps in words, with the page where each is done. */
const STEPS: Readonly<Record<FirstStep, { readonly text: string; readonly path: string }>> = {
  name_server: { text: 'Give your server a name', path: `${OPERATOR_PATH}/server` },
  invite_people: { text: 'Invite people', path: `${OPERATOR_PATH}/invitations` },
  follow_people: { text: 'Follow people', path: '/explore' },
  write_post: { text: 'Write your first post', path: '/compose/post' },
};

/** Returns the card of what the viewer should do first; undefined when all is done or dismissed. */
export async function firstSteps(visit: SignedInVisit, publicUrl: string): Promise<Html | undefined> {
  const { data } = await visit.api.call<WireFirstSteps>('getFirstSteps');
  if (!data || data.is_dismissed || data.steps.every(({ is_done: isDone }) => isDone)) return undefined;
  const follow = data.steps.find(({ id }) => id === 'follow_people');
  return html`<section class="card first-steps" aria-labelledby="first-steps">
    <h2 id="first-steps">Welcome, <bdi>${shownName(visit.viewer.user)}</bdi></h2>
    <ol class="first-list">
      ${data.steps.map(
        ({ id, is_done: isDone }) =>
          html`<li class="${isDone ? 'done' : ''}">
            ${
              isDone
                ? html`${icon('check')}<span>${STEPS[id].text}<span class="hidden"> (done)</span></span>`
                : html`<span class="open" aria-hidden="true"></span
                    ><a href="${STEPS[id].path}">${STEPS[id].text}</a>`
            }
          </li>`,
      )}
    </ol>
    ${follow?.is_done === false && (await peopleToFollow(visit, publicUrl))}
    <form method="post" action="${DISMISS_PATH}">
      ${visit.csrfField()}
      <button class="link">Do not show this again</button>
    </form>
  </section>`;
}

const SHOWN = 5;

/** Returns suggestions of people to follow; undefined if there are none. */
async function peopleToFollow(visit: SignedInVisit, publicUrl: string): Promise<Html | undefined> {
  const { data = [] } = await visit.api.call<WireUser[]>('getSuggestions', {
    max_results: SHOWN,
    ...USER_SELECTION,
  });
  if (data.length === 0) return undefined;
  return html`<h3>People on this server</h3>
    ${userList(data, publicUrl, '', followButton)}`;
}
