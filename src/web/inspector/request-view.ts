import { html, type Html } from '../../api/reference/html.js';
import type { HeaderList, JournalEntry, RanStatement, RecordedBody } from '../../journal/entry.js';
import { factList } from '../lists.js';
import { curlCopy } from './copies/curl.js';
import { sentRequest } from './copies/sent-request.js';
import { pytestCopy, vitestCopy } from './copies/tests.js';
import { COPIED_TOKENS, worldCopy } from './copies/world.js';
import { refusalCard } from './explanation-view.js';
import { durationText, statusMark } from './request-list.js';
import { clipText, codeText, visibleText } from './visible-text.js';

const MAX_HEADING = 120;
const MAX_BODY = 64 * 1024;

/** Returns everything that is known of one request. `publicUrl` is the address for copies. */
export function requestView(entry: JournalEntry, publicUrl: string): Html {
  const { request, answer, refusal } = entry;
  const query = request.query === '' ? '' : `?${request.query}`;
  return html`<h1 class="written">${codeText(clipText(`${request.method} ${request.path}`, MAX_HEADING))}</h1>
    ${facts(entry)} ${refusal && refusalCard(refusal)}
    <div class="card full">
      <h2>Request</h2>
      <pre class="sent" dir="ltr">
${visibleText(`${request.method} ${request.path}${query} HTTP/${request.httpVersion}`)}</pre>
      ${headerList(request.headers)} ${bodyBlock(request.body)}
    </div>
    <div class="card full">
      <h2>Answer</h2>
      <p>${statusMark(entry)}</p>
      ${headerList(answer.headers)} ${bodyBlock(answer.body)}
    </div>
    ${entry.statements && statementsCard(entry.statements)} ${copies(entry, publicUrl)}`;
}

function facts(entry: JournalEntry): Html {
  const { operation, timeMs, elapsedMs, isOpen, isCut, app, userId, requestId, via } = entry;
  return html`<div class="card full">
    ${factList({
      Status: statusMark(entry),
      Operation: codeText(operation),
      'Called as a tool by': via !== undefined && codeText(via),
      Arrived: html`<time datetime="${new Date(timeMs).toISOString()}"
        >${new Date(timeMs).toISOString()}</time
      >`,
      Took: isOpen ? 'The answer goes on.' : durationText(elapsedMs),
      App: app && html`<bdi>${visibleText(app.name)}</bdi> (${codeText(app.id)})`,
      User: userId !== undefined && codeText(userId),
      'x-transaction-id': requestId !== undefined && codeText(requestId),
      Connection: isCut && 'Closed before the end of the answer.',
    })}
  </div>`;
}

function headerList(headers: HeaderList): Html {
  return html`<dl class="headers">
    ${headers.map(
      ([name, value]) =>
        html`<dt>${visibleText(name)}</dt>
          <dd>${codeText(value)}</dd>`,
    )}
  </dl>`;
}

function bodyBlock({ bytes, text, base64, isCut }: RecordedBody): Html {
  if (bytes === 0) return html`<p class="hint">No body.</p>`;
  if (text === undefined) {
    return html`<p class="hint">${base64 === undefined ? 'A' : 'A binary'} body of ${bytes} bytes.</p>`;
  }
  return html`<pre class="sent" dir="ltr">${visibleText(clipText(indented(text), MAX_BODY))}</pre>
    <p class="hint">${bytes} bytes${isCut && ', not recorded whole'}.</p>`;
}

/** Indents JSON; returns other texts unchanged. */
function indented(text: string): string {
  // Parsing would change numbers beyond 2^53 and repeated names, so only their spaces are added.
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    const pretty = JSON.stringify(parsed, undefined, 2);
    return JSON.stringify(parsed) === text.trim() ? pretty : text;
  } catch {
    return text;
  }
}

function statementsCard(statements: readonly RanStatement[]): Html {
  return html`<div class="card full">
    <h2>Statements</h2>
    ${
      statements.length === 0
        ? html`<p class="hint">None: caches had everything, or the search index.</p>`
        : html`<ol class="statements">
            ${statements.map(
              ({ text, elapsedMs }) =>
                html`<li>${codeText(text)} <span class="hint">${durationText(elapsedMs)}</span></li>`,
            )}
          </ol>`
    }
  </div>`;
}

function copies(entry: JournalEntry, publicUrl: string): Html {
  const sent = sentRequest(entry, publicUrl);
  return html`<div class="card full">
    <h2>Copies</h2>
    <p>
      Secrets are placeholders: set the variables, such as <code>BEARER_TOKEN</code>. On a server with the
      copied world, this is
      <code>${entry.userId === undefined ? COPIED_TOKENS.app : COPIED_TOKENS.user}</code>.
    </p>
    ${copy('As curl', curlCopy(sent))} ${copy('As a test for vitest', vitestCopy(sent))}
    ${copy('As a test for pytest', pytestCopy(sent))}
    ${copy('As a world file with what the request refers to', worldCopy(entry))}
  </div>`;
}

function copy(label: string, text: string): Html {
  return html`<details>
    <summary>${label}</summary>
    <pre class="sent" dir="ltr" data-copy tabindex="0">${visibleText(text)}</pre>
  </details>`;
}
