import type { PlainRoute } from '../../http/plain-route.js';
import { NOT_IMPLEMENTED_PATH } from '../../http/problems.js';
import { type Html, html, withCode } from '../reference/html.js';
import { documentAnswer } from '../reference/document.js';
import { MISSING_FEATURES, MISSING_OPERATIONS, type MissingGroup } from './operations.js';

const INTRODUCTION =
  'Operations of the interface that this server does not implement. They answer 404 with a body that names the ' +
  'operation. Paths of `/1.1/` are not listed: `docs/api/v1.md` names those that are served.';

/** Creates `GET /docs/not-implemented`, the table as a page. */
export function notImplementedPage(): PlainRoute {
  return {
    method: 'GET',
    path: NOT_IMPLEMENTED_PATH,
    handler: () => documentAnswer('Not implemented', renderPage()),
  };
}

function renderPage(): Html {
  return html`<main id="content">
    <p><a href="/docs">Pipit reference</a></p>
    <h1>Not implemented</h1>
    <p class="lead">${withCode(INTRODUCTION)}</p>
    ${MISSING_OPERATIONS.map(renderGroup)}
    <h2>In operations that are served</h2>
    <ul>
      ${MISSING_FEATURES.map((feature) => html`<li>${withCode(feature)}</li>`)}
    </ul>
  </main>`;
}

function renderGroup({ title, reason, operations }: MissingGroup): Html {
  return html`<h2>${title}</h2>
    <p>${reason}</p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          ${operations.map(
            (operation) =>
              html`<tr>
                <td><code>${operation.method} ${operation.path}</code></td>
                <td>${operation.summary}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

/** Returns the table as the text of `docs/not-implemented.md`. */
export function notImplementedMarkdown(): string {
  const groups = MISSING_OPERATIONS.map(
    ({ title, reason, operations }) =>
      `## ${title}\n\n${reason}\n\n${listOf(operations.map(({ method, path, summary }) => `\`${method} ${path}\`: ${summary}.`))}`,
  );
  const features = `## In operations that are served\n\n${listOf(MISSING_FEATURES)}`;
  return `${['# Not implemented', INTRODUCTION, ...groups, features].join('\n\n')}\n`;
}

function listOf(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
