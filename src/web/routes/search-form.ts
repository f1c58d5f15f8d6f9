import { html, type Html } from '../../api/reference/html.js';
import { EXPLAINED_TERMS, explainedOperators } from '../../query/explained-operators.js';
import { SEARCH_LANGUAGE } from '../../query/search-operators.js';

/** Returns the field for a search, and what a search can say. The script completes operators in the field. */
export function searchForm(query: string): Html {
  return html`<form class="search bar" method="get" action="/search" role="search">
      <div class="field">
        <label for="q"><span class="hidden">Search for</span></label>
        <input id="q" name="q" type="search" value="${query}" placeholder="Search posts and people" />
      </div>
      <button>Search</button>
    </form>
    ${HELP}`;
}

/** Returns the field for a search beside pages that are about something else. */
export function searchAside(): Html {
  return html`<form class="search" method="get" action="/search" role="search">
    <label for="aside-q"><span class="hidden">Search for</span></label>
    <input id="aside-q" name="q" type="search" placeholder="Search posts and people" />
  </form>`;
}

const HELP = html`<details class="search-help">
  <summary>What a search can say</summary>
  <dl>
    ${EXPLAINED_TERMS.map(([example, meaning]) => line(example, html`${meaning}`))}
    ${explainedOperators(SEARCH_LANGUAGE.operators, 'all').map(({ operator: { example, meaning, values } }) =>
      line(example, html`${meaning}${values && html`: ${[...values.keys()].join(', ')}`}`),
    )}
  </dl>
  <p class="hint">
    A minus before a term leaves out what it finds. <a href="/docs/query-language">More about searches</a>
  </p>
</details>`;

function line(example: string, meaning: Html): Html {
  return html`<dt><code>${example}</code></dt>
    <dd>${meaning}</dd>`;
}
