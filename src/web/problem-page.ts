import type { Answer } from '../http/answer.js';
import type { ProblemAnswer } from '../http/problems.js';
import { html, type Html, withCode } from '../api/reference/html.js';
import type { Violation } from '../core/errors.js';
import { points } from './lists.js';
import { page } from './page.js';

/** Renders a problem as a page with its status. */
export function problemPage(problem: ProblemAnswer): Answer {
  const { status, body, headers } = problem;
  const { heading } = WORDS[status] ?? { heading: String(body.title) };
  return page(
    { title: heading, status, headers },
    html`<h1>${heading}</h1>
      <div class="card">
        ${problemText(problem)}
        <div class="actions"><a class="button" href="/">Go to the start page</a></div>
      </div>`,
  );
}

/** Returns what a problem means and what to do, in one or more paragraphs. */
export function problemText({ status, body, headers }: ProblemAnswer): Html {
  const text = WORDS[status]?.text ?? String(body.title);
  return explain(body, headers?.['retry-after']) ?? html`<p>${text}</p>`;
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
  500: { heading: 'Internal server error' },
  503: { heading: 'Temporarily unavailable' },
};

/** Returns the details of a problem; undefined when it has none beyond its title. */
function explain(body: ProblemAnswer['body'], retryAfter: string | undefined): Html | undefined {
  const faults = violationsOf(body);
  if (faults.length === 1) return html`<p>${withCode(faults[0] ?? '')}</p>`;
  if (faults.length > 1) return points(faults.map(withCode));
  if (retryAfter !== undefined) return html`<p>${waitText(Number(retryAfter))}</p>`;
  return body.detail === body.title ? undefined : html`<p>${String(body.detail)}</p>`;
}

function violationsOf({ errors }: ProblemAnswer['body']): readonly string[] {
  return Array.isArray(errors) ? (errors as readonly Violation[]).map(({ message }) => message) : [];
}

function waitText(seconds: number): string {
  if (seconds < 60) return 'Please wait a moment before you try again.';
  const minutes = Math.ceil(seconds / 60);
  return `Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} before you try again.`;
}
