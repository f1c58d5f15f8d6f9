import type { AnyEndpoint } from '../../api/endpoint.js';
import { html, withCode, type Html } from '../../api/reference/html.js';
import type { Answer } from '../../http/answer.js';
import type { Visit } from '../visit.js';
import { docsPage, ENDPOINTS_PATH } from './docs-page.js';
import { endpointPath, groupByTag, tagAnchor, type Group } from './endpoint-paths.js';

/** Returns the list of endpoints by tag, or of those that a filter finds. The script filters as one types. */
export function endpointIndex(visit: Visit, endpoints: readonly AnyEndpoint[]): Answer {
  const query = (visit.query.get('q') ?? '').slice(0, 100);
  const found = endpoints.filter((each) => matches(each, query));
  return docsPage(
    visit,
    { title: 'Endpoints' },
    html`<h1>Endpoints</h1>
      ${filterForm(query)}
      <p class="hint" role="status" data-filter-count>${countText(found.length)}</p>
      <div data-filtered>${groupByTag(found).map((group) => groupView(group, query !== ''))}</div>`,
  );
}

/** Reports whether an endpoint has all words of a filter. `POST` means the method, `post` a word. */
function matches({ method, path, summary, operationId, tag }: AnyEndpoint, query: string): boolean {
  const text = `${path} ${summary} ${operationId} ${tag}`.toLowerCase();
  return query
    .split(/\s+/)
    .every((word) => (METHODS.has(word) ? method === word : text.includes(word.toLowerCase())));
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE']);

function countText(count: number): string {
  if (count === 0) return 'No endpoint has these words.';
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}

/** Returns the form that filters endpoints. */
export function filterForm(query: string): Html {
  return html`<form class="bar" method="get" action="${ENDPOINTS_PATH}" role="search" data-filter>
    <div class="field">
      <label for="filter">Find an endpoint</label>
      <input id="filter" name="q" type="search" value="${query}" placeholder="likes, POST, /2/users …" />
    </div>
    <button>Find</button>
  </form>`;
}

function groupView({ tag, endpoints }: Group, isOpen: boolean): Html {
  return html`<details class="fold group" ${isOpen && html`open`}>
    <summary><h2 id="${tagAnchor(tag)}">${tag}</h2></summary>
    <ul class="endpoints">
      ${endpoints.map(endpointLink)}
    </ul>
  </details>`;
}

/** Returns an endpoint as an entry of a list. */
export function endpointLink(each: AnyEndpoint): Html {
  return html`<li>
    <a href="${endpointPath(each)}">${withCode(each.summary)}</a>
    <code class="call"><b class="${each.method}">${each.method}</b> ${each.path}</code>
    <span class="hidden">${each.operationId}</span>
  </li>`;
}
