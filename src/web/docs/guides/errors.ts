import { html, type Html } from '../../../api/reference/html.js';
import { error } from '../../../api/schemas/problem.js';
import { problemOf, type ProblemAnswer } from '../../../http/problems.js';
import { v1ProblemOf } from '../../../http/problems-v1.js';
import { schemaExample } from '../answer-example.js';
import { copied } from '../code-view.js';
import { EXPLAINED_FAILURES, type ExplainedFailure } from './explained-failures.js';

/** Returns the guide to refusals. The bodies are those that the server writes. */
export function errorsGuide(): Html {
  const byStatus = new Map<number, ExplainedFailure[]>();
  for (const explained of EXPLAINED_FAILURES) {
    const { status } = problemOf(explained.failure, 0);
    byStatus.set(status, [...(byStatus.get(status) ?? []), explained]);
  }
  return html`<p class="lead">
      A refused request has a status from 400 and a problem as its body. <code>title</code> and
      <code>detail</code> are for people; programs look at the status and at the end of <code>type</code>.
    </p>
    ${[...byStatus].map(
      ([status, failures]) =>
        html`<h2 id="status-${status}">${status}</h2>
          ${failures.map(failureView)}`,
    )}
    <h2 id="partial">A part is missing</h2>
    <p>
      A request for several objects, or with expansions, succeeds with what it finds.
      <code>errors</code> beside <code>data</code> says what is missing and why: deleted, protected,
      suspended.
    </p>
    ${copied(JSON.stringify({ data: [], errors: [schemaExample(error)] }, undefined, 2))}
    <h2 id="v1">Version 1.1</h2>
    <p>Paths that begin with <code>/1.1/</code> have the older form, with a number:</p>
    ${copied(bodyOf(v1ProblemOf({ code: 'unauthorized' }, 0)))}
    <h2 id="help">When a credential is refused</h2>
    <p>
      The answer does not say why, as it would tell others too. The owner of an app sees it: the Requests tab
      of the app records what arrives, and explains each refusal down to the signed text.
    </p>`;
}

function failureView({ when, remedy, failure }: ExplainedFailure): Html {
  const problem = problemOf(failure, 0);
  const { headers = {} } = problem;
  return html`<h3>${when}</h3>
    <p>${remedy}</p>
    ${copied(bodyOf(problem))}
    ${Object.entries(headers).map(([name, value]) => html`<p class="hint">Header: <code>${name}: ${value}</code></p>`)}`;
}

function bodyOf({ body }: ProblemAnswer): string {
  return JSON.stringify(body, undefined, 2);
}
