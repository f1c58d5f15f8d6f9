import { html, type Html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import { plainLine } from '../../core/plain-line.js';
import type { Answer } from '../../http/answer.js';
import { ifPossible } from '../api/if-possible.js';
import { note } from '../fields.js';
import { tabLinks } from '../tab-links.js';
import { isSignedIn, type FormVisit, type SignedInVisit, type Visit } from '../visit.js';
import { searchPath } from './search-over-time.js';

/** A saved search as the API returns it (docs/api/pipit.md#saved-searches). */
interface SavedSearch {
  readonly id: string;
  readonly query: string;
}

async function listSaved({ api }: Visit): Promise<readonly SavedSearch[]> {
  return (await api.call<SavedSearch[]>('getSavedSearches')).data ?? [];
}

/**
 * Returns links to the saved searches of the user, and on the page of a search the button that saves or forgets it.
 * Visitors have none.
 */
export async function savedSearches(visit: Visit, query?: string): Promise<Html | undefined> {
  if (!isSignedIn(visit)) return undefined;
  const saved = await ifPossible(listSaved(visit));
  if (!saved || (saved.length === 0 && query === undefined)) return undefined;
  const isSaved = saved.some((search) => search.query === query);
  return html`<div class="saved">
    ${saved.length > 0 && links(saved, query)} ${query !== undefined && saveForm(visit, isSaved)}
  </div>`;
}

function links(saved: readonly SavedSearch[], current: string | undefined): Html {
  const tabs = saved.map(({ query }) => ({
    path: searchPath(query, {}),
    label: html`<bdi>${plainLine(query, 'Search')}</bdi>`,
  }));
  return tabLinks('Saved searches', tabs, current === undefined ? '' : searchPath(current, {}));
}

/** Returns the form that changes the search of its page; it comes back to the same results. */
function saveForm(visit: Visit, isSaved: boolean): Html {
  const [action, label] = isSaved ? ['forget', 'Forget this search'] : ['save', 'Save this search'];
  return html`<form method="post" action="${visit.request.url}">
    ${visit.csrfField()} <button class="plain small" name="do" value="${action}">${label}</button>
  </form>`;
}

/** Saves or forgets a search, as the form says. `showRefusal` answers if it may not be saved, such as beyond the limit. */
export async function changeSavedSearch(
  visit: SignedInVisit<FormVisit>,
  query: string,
  showRefusal: (refusal: Html) => Promise<Answer>,
): Promise<Answer> {
  try {
    if (visit.form.get('do') === 'forget') await forget(visit, query);
    else await visit.api.call('createSavedSearch', { query });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return showRefusal(note('bad', refusal));
  }
  return visit.goTo(visit.request.url);
}

function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof PipitError)) return undefined;
  const { failure, message } = error;
  if (failure.code === 'forbidden') return `${message} Forget one to save another.`;
  return failure.code === 'invalid-request'
    ? failure.violations.map((violation) => violation.message).join(' ')
    : undefined;
}

async function forget(visit: SignedInVisit, query: string): Promise<void> {
  const search = (await listSaved(visit)).find((each) => each.query === query);
  if (search) await visit.api.call('deleteSavedSearch', { id: search.id });
}
