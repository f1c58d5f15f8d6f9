import type { Answer } from '../../../http/answer.js';
import { html, type Html } from '../../../api/reference/html.js';
import { SPACE_SELECTION } from '../../api/fields.js';
import type { WireSpace } from '../../api/objects.js';
import { spaceCard, SPACES_PATH } from '../../posts/space-card.js';
import { isSignedIn, type Visit } from '../../visit.js';
import { showPage } from '../posts/public-pages.js';
import { CREATE_SPACE_PATH } from './space-form.js';
import { foundSpaces, type FoundSpace } from './space-objects.js';

const MAX_QUERY = 200;

/** `/i/spaces`: live and scheduled Spaces of all users; the query parameter `q` searches their titles. */
export async function showSpaces(visit: Visit): Promise<Answer> {
  const query = [...(visit.query.get('q') ?? '').trim()].slice(0, MAX_QUERY).join('');
  const answer = await (query === ''
    ? visit.api.call<WireSpace[]>('getOpenSpaces', { max_results: 100, ...SPACE_SELECTION })
    : visit.api.call<WireSpace[]>('searchSpaces', { query, ...SPACE_SELECTION }));
  const found = foundSpaces(visit, answer);
  return showPage(
    visit,
    { title: query === '' ? 'Spaces' : `Spaces: ${query}`, isPublic: false, hasSearch: true },
    html`<div class="bar">
        <h1>Spaces</h1>
        ${isSignedIn(visit) && html`<a class="button small" href="${CREATE_SPACE_PATH}">New Space</a>`}
      </div>
      ${searchForm(query)} ${found.length === 0 ? emptyNote(query) : sections(found)}`,
  );
}

function searchForm(query: string): Html {
  return html`<form class="search bar" method="get" action="${SPACES_PATH}" role="search">
    <div class="field">
      <label for="q"><span class="hidden">Search for Spaces</span></label>
      <input id="q" name="q" type="search" value="${query}" placeholder="Words of a title" />
    </div>
    <button>Search</button>
  </form>`;
}

function emptyNote(query: string): Html {
  return query === ''
    ? html`<p class="absent">No Space is live or scheduled.</p>`
    : html`<p class="absent">
        No live or scheduled Space has these words in its title. <a href="${SPACES_PATH}">Show all</a>
      </p>`;
}

function sections(found: readonly FoundSpace[]): Html {
  const [live, scheduled] = (['live', 'scheduled'] as const).map((state) =>
    found.filter(({ space }) => space.state === state),
  );
  return html`${section('Live now', live)} ${section('Scheduled', scheduled)}`;
}

function section(heading: string, found: readonly FoundSpace[] = []): Html | undefined {
  if (found.length === 0) return undefined;
  return html`<section>
    <h2>${heading}</h2>
    <div class="spaces">
      ${found.map(({ space, users }) => spaceCard(space, users.get(space.creator_id ?? '')))}
    </div>
  </section>`;
}
