import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { PipitError } from '../../../core/errors.js';
import { MAX_SPACE_TITLE } from '../../../core/limits.js';
import type { WireSpace } from '../../api/objects.js';
import type { Faults } from '../../fields.js';
import { attempt, boundFields, faultNote, NO_FAULTS, statusOf } from '../../forms.js';
import { spacePath } from '../../posts/space-card.js';
import type { FormVisit, SignedInVisit } from '../../visit.js';

export const CREATE_SPACE_PATH = spacePath('create');

/** What people enter about a Space. */
export interface SpaceSettings {
  readonly title: string;
  /** A time in UTC as the browser's field has it, `2026-11-25T18:00`; empty for a Space that is live at once. */
  readonly start: string;
}

/** Reads the form of a Space. */
export function readSpaceForm({ form }: FormVisit): SpaceSettings {
  return { title: (form.get('title') ?? '').trim(), start: (form.get('start') ?? '').trim() };
}

/** Shows the form of a new Space. */
export function showCreate(
  visit: SignedInVisit,
  settings: SpaceSettings = { title: '', start: '' },
  faults: Faults = NO_FAULTS,
): Answer {
  return visit.show(
    { title: 'New Space', status: statusOf(faults), wide: 'posts' },
    html`<h1>New Space</h1>
      <form class="card" method="post" action="${CREATE_SPACE_PATH}">
        ${visit.csrfField()} ${faultNote(faults)} ${fields(settings, faults, START_HINT)}
        <div class="actions"><button>Create the Space</button></div>
      </form>`,
  );
}

const START_HINT = 'In UTC, up to 30 days ahead. Without a time, the Space is live at once.';

/** Sends a form of a Space; a refusal because of its state or of too many Spaces stands beside the title. */
export async function sendSpace<T>(
  work: () => Promise<T>,
  showFaults: (faults: Faults) => Answer | Promise<Answer>,
  finish: (value: T) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt(work, (faults) => showFaults(inOurWords(faults)), finish);
  } catch (error) {
    if (!(error instanceof PipitError) || error.failure.code !== 'forbidden') throw error;
    return showFaults(new Map([['title', error.failure.detail]]));
  }
}

/** Returns what the endpoints take for a form. */
export function bodyOf({ title, start }: SpaceSettings): { title: string; scheduled_start?: string } {
  if (start === '') return { title };
  // Browsers omit seconds that are zero.
  const [, minute, second = ':00'] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/.exec(start) ?? [];
  return { title, scheduled_start: minute === undefined ? start : `${minute}${second}Z` };
}

/** The endpoints name the members of their bodies, and their bounds in their own words. */
function inOurWords(faults: Faults): Faults {
  return new Map(
    [...faults.keys()].map((path) =>
      path === '$.scheduled_start'
        ? ['start', 'The start is in the future, at most 30 days ahead.']
        : ['title', `A title has 1 to ${MAX_SPACE_TITLE} characters.`],
    ),
  );
}

function fields(settings: SpaceSettings, faults: Faults, startHint: string | undefined): Html {
  const { text } = boundFields({ ...settings }, faults);
  return html`${text('title', 'Title', { required: true, maxLength: MAX_SPACE_TITLE })}
  ${startHint !== undefined && text('start', 'Start', { type: 'datetime-local', hint: startHint })}`;
}

/** Returns the forms with which the creator changes, starts, ends and cancels a Space; undefined after its end. */
export function hostForms(
  visit: SignedInVisit,
  space: WireSpace,
  faults: Faults,
  entered?: SpaceSettings,
): Html | undefined {
  const { id, state, title = '', scheduled_start: start = '' } = space;
  if (state === 'ended') return undefined;
  const settings = entered ?? { title, start: start.slice(0, 'YYYY-MM-DDTHH:MM'.length) };
  const startHint = state === 'scheduled' ? 'In UTC, up to 30 days ahead.' : undefined;
  return html`<section class="card host-forms">
    <h2>Your Space</h2>
    ${state === 'scheduled' && actForm(visit, id, 'start', 'Start now')}
    <details ${faults.size > 0 && html`open`}>
      <summary>Change ${state === 'scheduled' ? 'title or start' : 'the title'}</summary>
      <form method="post" action="${spacePath(id, 'edit')}">
        ${visit.csrfField()} ${faultNote(faults)} ${fields(settings, faults, startHint)}
        <button>Save</button>
      </form>
    </details>
    ${state === 'scheduled' && ending(visit, id, 'cancel', 'Cancel the Space', 'It cannot be started after that.')}
    ${state === 'live' && ending(visit, id, 'end', 'End the Space', 'It cannot be live again after that.')}
  </section>`;
}

function actForm(visit: SignedInVisit, id: string, act: string, label: string, style = ''): Html {
  return html`<form method="post" action="${spacePath(id, act)}">
    ${visit.csrfField()}<button class="${style}">${label}</button>
  </form>`;
}

/** Returns a form that asks for a second click. */
function ending(visit: SignedInVisit, id: string, act: string, label: string, consequence: string): Html {
  return html`<details>
    <summary class="danger">${label}</summary>
    <p>${consequence}</p>
    ${actForm(visit, id, act, `Yes, ${label.toLowerCase().replace('space', 'Space')}`, 'danger')}
  </details>`;
}
