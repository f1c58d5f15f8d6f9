import type { Answer } from '../http/answer.js';
import type { ProblemAnswer } from '../http/problems.js';
import { html, type Html, withCode } from '../api/reference/html.js';
import type { Violation } from '../core/errors.js';
import { page } from './page.js';

/** What people see of a problem: a page with its status. */
export function problemPage({ status, body, headers }: ProblemAnswer): Answer {
  const { heading, text } = WORDS[status] ?? { heading: String(body.title), text: undefined };
  return page(
    { title: heading, status, headers },
    html`<h1>${heading}</h1>
      <div class="card">
        ${explain(body, headers?.['retry-after']) ?? html`<p>${text ?? String(body.title)}</p>`}
        <div class="actions"><a class="button" href="/">Go to the start page</a></div>
      </div>`,
  );
}

interface Words {
  readonly heading: string;
  /** Where the problem itself says nothing more. */
  readonly text?: string;
}

const WORDS: Readonly<Record<number, Words>> = {
  400: { heading: 'This request is wrong' },
  403: { heading: 'This is not allowed' },
  404: {
    heading: 'There is nothing here',
    text: 'The address may be mistyped, or what it led to is gone, or is not for you to see.',
  },
  405: { heading: 'This does not go here', text: 'The page exists, but not for what was sent to it.' },
  413: { heading: 'This is too much', text: 'What was sent is larger than anything that belongs here.' },
  429: { heading: 'Too many tries' },
  500: { heading: 'This server has a fault' },
  503: { heading: 'One moment, please' },
};

/** What a problem says beyond its title. */
function explain(body: ProblemAnswer['body'], retryAfter: string | undefined): Html | undefined {
  const faults = violationsOf(body);
  if (faults.length === 1) return html`<p>${withCode(faults[0] ?? '')}</p>`;
  if (faults.length > 1) {
    return html`<ul class="points">
      ${faults.map((fault) => html`<li>${withCode(fault)}</li>`)}
    </ul>`;
  }
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
