import type { AnyEndpoint } from '../../api/endpoint.js';
import { html } from '../../api/reference/html.js';
import type { Answer } from '../../http/answer.js';
import { NOT_IMPLEMENTED_PATH } from '../../http/problems.js';
import { linkCard } from '../lists.js';
import type { Visit } from '../visit.js';
import { copied } from './code-view.js';
import { docsPage, ENDPOINTS_PATH, GUIDE_PATHS } from './docs-page.js';
import { filterForm } from './endpoint-index.js';
import { groupByTag, tagAnchor } from './endpoint-paths.js';

/** Returns the first page of the documentation: where things are. */
export function overviewPage(visit: Visit, endpoints: readonly AnyEndpoint[], baseUrl: string): Answer {
  return docsPage(
    visit,
    { title: 'API documentation' },
    html`<h1>API documentation</h1>
      <p class="lead">
        The interface of this server is the X API v2: the same paths, parameters, answers, errors and
        credentials. Programs written for it work with this address:
      </p>
      ${copied(baseUrl)}
      <div class="ways">${WAYS.map((way) => linkCard(...way))}</div>
      <h2>${endpoints.length} endpoints</h2>
      ${filterForm('')}
      <ul class="tags">
        ${groupByTag(endpoints).map(
          ({ tag, endpoints: members }) =>
            html`<li>
              <a href="${ENDPOINTS_PATH}#${tagAnchor(tag)}">${tag}</a>
              <span class="hint">${members.length}</span>
            </li>`,
        )}
      </ul>
      <p class="hint">
        The same as data: <a href="/2/openapi.json">the OpenAPI document</a>. Parameters may be spelled with a
        dot or an underscore: <code>tweet.fields</code> or <code>tweet_fields</code>. What the interface has
        beyond these endpoints is <a href="${NOT_IMPLEMENTED_PATH}">listed apart</a>. Agents call the
        endpoints as tools at <code>${baseUrl}/mcp</code>.
      </p>`,
  );
}

const WAYS: readonly (readonly [path: string, label: string, about: string])[] = [
  [GUIDE_PATHS.firstSteps, 'First steps', 'From nothing to the first request and the first post.'],
  [GUIDE_PATHS.authentication, 'Authentication', 'App tokens, OAuth 2.0 and OAuth 1.0a, step by step.'],
  [ENDPOINTS_PATH, 'Endpoints', 'Parameters, examples and answers of each, and a form to try it.'],
  [GUIDE_PATHS.queryLanguage, 'Query language', 'What a search can say, with an example of each operator.'],
  [GUIDE_PATHS.errors, 'Errors', 'What refusals look like, and what to do about them.'],
  [GUIDE_PATHS.limits, 'Limits', 'Requests per window, and the headers that count them.'],
];
