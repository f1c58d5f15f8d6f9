import { html, type Html } from '../../../api/reference/html.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { Visit } from '../../visit.js';
import { codeView, copied } from '../code-view.js';
import type { ExampleRequest } from '../code/example-request.js';
import { ENDPOINTS_PATH, GUIDE_PATHS } from '../docs-page.js';
import type { GuideReader } from './guide.js';

/** Returns the guide from nothing to the first request and the first post. */
export function firstStepsGuide({ visit, context, place }: GuideReader): Html {
  const { publicUrl: baseUrl } = context;
  const username = visit.viewer?.user.username ?? 'alice';
  return html`<p class="lead">
      From nothing to the first request and the first post. Everything happens on this server,
      <code>${baseUrl}</code>.
    </p>
    <ol class="steps">
      ${prepareSteps(visit)}
      <li>
        <h2>Send the first request</h2>
        <p>With the app’s bearer token, a program reads what everybody may read:</p>
        ${codeView(firstRead(baseUrl, username), place, 'read')}
      </li>
      <li>
        <h2>Create a token for yourself</h2>
        <p>
          To act for you, the program needs a token of yours. Open your app under
          <a href="${CONSOLE_PATH}">Apps</a>, choose Keys and tokens, and create an OAuth 2.0 token. Its
          <code>pipit.env</code> goes to the same place as the first one.
        </p>
      </li>
      <li>
        <h2>Write the first post</h2>
        ${codeView(firstPost(baseUrl), place, 'post')}
        <p>It is in your <a href="/home">home timeline</a> at once.</p>
      </li>
    </ol>
    ${NEXT}`;
}

const NEXT = html`<h2>What next</h2>
  <ul class="points">
    <li>
      <a href="${ENDPOINTS_PATH}">Every endpoint</a> has a page with its parameters, examples, and a form to
      try it.
    </li>
    <li><a href="${GUIDE_PATHS.authentication}">Authentication</a>: how your app acts for other people.</li>
    <li>
      Libraries that are written for X work unmodified: give them this server as their base URL. Where a
      library has no such option, <code>pipit lead -- COMMAND</code> sends its requests here.
    </li>
  </ul>`;

/** The steps before the first request: an account, an app, its keys. */
function prepareSteps({ viewer }: Visit): Html {
  return html`<li>
      <h2>Have an account</h2>
      ${
        viewer
          ? html`<p>You are signed in as <strong>@${viewer.user.username}</strong>.</p>`
          : html`<p>
              <a href="/sign-in?${new URLSearchParams({ next: GUIDE_PATHS.firstSteps }).toString()}"
                >Sign in</a
              >. The operators of this server say how to join it.
            </p>`
      }
    </li>
    <li>
      <h2>Create an app</h2>
      <p>
        An app stands for your program. <a href="${CONSOLE_PATH}/new">Create an app</a>; choose Read and write
        if the program will post.
      </p>
    </li>
    <li>
      <h2>Keep its keys</h2>
      <p>
        The page after that shows the keys once. Download them as <code>pipit.env</code>, and load the file
        where your program runs:
      </p>
      ${copied('set -a; . ./pipit.env; set +a')}
      <p class="hint">Node reads it by itself: <code>node --env-file=pipit.env program.mjs</code>.</p>
    </li>`;
}

function firstRead(baseUrl: string, username: string): ExampleRequest {
  return {
    method: 'GET',
    url: `${baseUrl}/2/users/by/username/${username}`,
    query: [['user.fields', 'created_at,public_metrics']],
    credential: 'app',
    answer: 'json',
  };
}

function firstPost(baseUrl: string): ExampleRequest {
  return {
    method: 'POST',
    url: `${baseUrl}/2/tweets`,
    query: [],
    credential: 'user',
    body: { kind: 'json', value: { text: 'Hello from Pipit' } },
    answer: 'json',
  };
}
