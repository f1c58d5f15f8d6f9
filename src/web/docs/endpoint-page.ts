import type { AnyEndpoint } from '../../api/endpoint.js';
import { refusalsOf } from '../../api/openapi-responses.js';
import { html, withCode, type Html } from '../../api/reference/html.js';
import type { Answer } from '../../http/answer.js';
import { factList } from '../lists.js';
import { CONSOLE_PATH } from '../navigation.js';
import type { Visit } from '../visit.js';
import { answerExample } from './answer-example.js';
import { codeView, copied } from './code-view.js';
import { CREDENTIAL_VARIABLES, exampleRequest } from './code/example-request.js';
import type { Language } from './code/languages.js';
import { docsPage, ENDPOINTS_PATH, GUIDE_PATHS } from './docs-page.js';
import { endpointFacts } from './endpoint-facts.js';
import { endpointLink } from './endpoint-index.js';
import { endpointPath, tagAnchor } from './endpoint-paths.js';
import { bodyTable, paramTable } from './tables.js';

/** An endpoint, and what its page needs to know. */
export interface ShownEndpoint {
  readonly endpoint: AnyEndpoint;
  /** The others with its tag, in the order of the catalogue. */
  readonly related: readonly AnyEndpoint[];
  readonly baseUrl: string;
  readonly language: Language;
  /** The form to try the endpoint, with an answer if it was sent. */
  readonly tryIt: Html;
  readonly status?: number;
}

/** Returns the page of an endpoint. */
export function endpointPage(visit: Visit, shown: ShownEndpoint): Answer {
  const { endpoint, tryIt, status } = shown;
  const { summary, tag, params, body } = endpoint;
  return docsPage(
    visit,
    { title: summary.replaceAll('`', ''), within: ENDPOINTS_PATH, status },
    html`<p class="above"><a href="${ENDPOINTS_PATH}#${tagAnchor(tag)}">${tag}</a></p>
      <h1>${withCode(summary)}</h1>
      <p class="call" id="${endpoint.operationId}">
        <b class="${endpoint.method}">${endpoint.method}</b> <code data-copy>${endpoint.path}</code>
      </p>
      <nav class="kinds" aria-label="On this page">
        ${sections(endpoint).map(([anchor, label]) => html`<a href="#${anchor}">${label}</a>`)}
      </nav>
      ${factList(Object.fromEntries(endpointFacts(endpoint)))} ${requestView(visit, shown)}
      ${answerView(endpoint)} ${paramTable(params ?? {})} ${body !== undefined && bodyTable(body)} ${tryIt}
      ${relatedView(shown)}`,
  );
}

/** The parts of a page that one looks for. */
function sections({ params = {}, body }: AnyEndpoint): (readonly [anchor: string, label: string])[] {
  return [
    ['request', 'Request'],
    ['answer-example', 'Answer'],
    ...(Object.keys(params).length > 0 ? [['parameters', 'Parameters'] as const] : []),
    ...(body === undefined ? [] : [['body-fields', 'Body'] as const]),
    ['try', 'Try it'],
  ];
}

function requestView(visit: Visit, { endpoint, baseUrl, language }: ShownEndpoint): Html {
  const ownId = visit.viewer && String(visit.viewer.user.id);
  const request = exampleRequest(endpoint, { baseUrl, ownId });
  const variables = CREDENTIAL_VARIABLES[request.credential];
  return html`<h2 id="request">Request</h2>
    ${codeView(request, { path: endpointPath(endpoint), language })}
    ${
      variables.length > 0 &&
      html`<p class="hint">
        <a href="${CONSOLE_PATH}">Your apps</a> give the values of
        ${variables.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}.
        <a href="${GUIDE_PATHS.authentication}">Authentication</a> explains them.
      </p>`
    }`;
}

function aboutAnswer({ file, response }: AnyEndpoint): string {
  if (file === true) return 'The bytes of the file.';
  return response === undefined ? 'It has no body.' : String(response['description'] ?? 'A JSON object.');
}

function answerView(endpoint: AnyEndpoint): Html {
  const example = answerExample(endpoint);
  return html`<h2 id="answer-example">Answer</h2>
    ${
      example === undefined
        ? html`<p>${withCode(aboutAnswer(endpoint))}</p>`
        : copied(JSON.stringify(example, undefined, 2))
    }
    ${
      endpoint.streams === true &&
      html`<p class="hint">Each message is a line; empty lines keep the connection open.</p>`
    }
    <details>
      <summary>Refusals</summary>
      <dl class="statuses">
        ${refusalsOf(endpoint).map(
          ([code, meaning]) =>
            html`<dt><a href="${GUIDE_PATHS.errors}#status-${code}">${code}</a></dt>
              <dd>${meaning}</dd>`,
        )}
      </dl>
    </details>`;
}

function relatedView({ endpoint, related }: ShownEndpoint): Html | undefined {
  const others = related.filter((each) => each !== endpoint);
  if (others.length === 0) return undefined;
  return html`<h2>More about ${endpoint.tag}</h2>
    <ul class="endpoints">
      ${others.map(endpointLink)}
    </ul>`;
}
