import type { Answer } from '../http/answer.js';
import type { ProblemAnswer } from '../http/problems.js';
import { html, type Html, withCode } from '../api/reference/html.js';
import type { Violation } from '../core/errors.js';
import { points } from './lists.js';
import { page, type PageOptions } from './page.js';
import { clockText } from './times.js';

/** Who sees the page of a problem, as far as it is known. */
export interface ProblemReader {
  /** The address that was asked for, if asking again makes sense. */
  readonly url?: string;
  readonly isSignedIn?: boolean;
  readonly nowMs?: number;
  readonly requestId?: string;
}

/** Renders a problem as a page with its status, for a reader of whom nothing is known. */
export function problemPage(problem: ProblemAnswer): Answer {
  const { options, body } = problemParts(problem, {});
  return page(options, body);
}

/** Returns what a page says about a problem, and what its reader can do. */
export function problemParts(
  problem: ProblemAnswer,
  reader: ProblemReader,
): { readonly options: Pick<PageOptions, 'title' | 'status' | 'headers'>; readonly body: Html } {
  const { status, body, headers } = problem;
  const { heading } = WORDS[status] ?? { heading: String(body.title) };
  return {
    options: { title: heading, status, headers },
    body: html`<h1>${heading}</h1>
      <div class="card">
        ${problemText(problem, reader.nowMs)}
        ${
          status >= 500 &&
          reader.requestId !== undefined &&
          html`<p class="hint">If it happens again, tell the operators: <code>${reader.requestId}</code></p>`
        }
        ${status === 404 && SEARCH} ${nextSteps(status, reader)}
      </div>`,
  };
}

const SEARCH = html`<form action="/search" role="search">
  <div class="field">
    <label for="search-for">Search for posts and people</label>
    <input id="search-for" name="q" type="search" />
  </div>
  <button class="plain">Search</button>
</form>`;

/** An empty link asks for the same page again, without its address, which may have secrets, in the markup. */
function nextSteps(status: number, { url, isSignedIn = false }: ProblemReader): Html {
  const mayRetry = url !== undefined && (status === 429 || status >= 500);
  const maySignIn = url !== undefined && !isSignedIn && (status === 401 || status === 403);
  return html`<div class="actions">
    ${mayRetry && html`<a class="button" href="">Try again</a>`}
    ${maySignIn && html`<a class="button" href="/sign-in?${new URLSearchParams({ next: url }).toString()}">Sign in</a>`}
    <a class="button${(mayRetry || maySignIn) && ' plain'}" href="/">Go to the start page</a>
  </div>`;
}

/** Returns what a problem means and what to do, in one or more paragraphs. */
export function problemText({ status, body, headers }: ProblemAnswer, nowMs?: number): Html {
  const text = WORDS[status]?.text ?? String(body.title);
  return explain(body, headers?.['retry-after'], nowMs) ?? html`<p>${text}</p>`;
}

interface Words {
  readonly heading: string;
  /** Shown when the problem has no detail. */
  readonly text?: string;
}

const WORDS: Readonly<Record<number, Words>> = {
  400: { heading: 'Invalid request' },
  403: { heading: 'Not allowed' },
  404: {
    heading: 'Page not found',
    text: 'The address may be wrong, the page may have been deleted, or you may not be allowed to see it.',
  },
  405: { heading: 'Method not allowed', text: 'The page exists, but does not accept this kind of request.' },
  413: { heading: 'Request too large', text: 'The request is larger than this server accepts.' },
  429: { heading: 'Too many requests' },
  401: { heading: 'Sign in first' },
  500: { heading: 'Internal server error' },
  503: { heading: 'Temporarily unavailable' },
};

/** Returns the details of a problem; undefined when it has none beyond its title. */
function explain(
  body: ProblemAnswer['body'],
  retryAfter: string | undefined,
  nowMs: number | undefined,
): Html | undefined {
  const faults = violationsOf(body);
  if (faults.length === 1) return html`<p>${withCode(faults[0] ?? '')}</p>`;
  if (faults.length > 1) return points(faults.map(withCode));
  if (retryAfter !== undefined) return html`<p>${waitText(Number(retryAfter), nowMs)}</p>`;
  return body.detail === body.title ? undefined : html`<p>${String(body.detail)}</p>`;
}

function violationsOf({ errors }: ProblemAnswer['body']): readonly string[] {
  return Array.isArray(errors) ? (errors as readonly Violation[]).map(({ message }) => message) : [];
}

function waitText(seconds: number, nowMs: number | undefined): Html {
  if (seconds < 60) return html`Please wait a moment before you try again.`;
  const minutes = Math.ceil(seconds / 60);
  const until = nowMs !== undefined && html` That is at ${clockText(nowMs + seconds * 1000)}.`;
  return html`Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} before you try again.${until}`;
}
