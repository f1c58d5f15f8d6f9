import { html, type Html } from '../../api/reference/html.js';
import type { SignUpService } from '../../services/accounts/sign-up.js';
import { ACCOUNT_PATH, CONSOLE_PATH, OPERATOR_PATH } from '../page.js';
import { shownName } from '../shown-name.js';
import { isSignedIn, type SignedInVisit, type Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';

/** The home page, `/`. */
export const homeRoutes: CreateRoutes = (pages, { signUp, publicUrl }) => [
  pages.show('/', (visit) => {
    const head = isSignedIn(visit) ? greeting(visit) : introduction(signUp.mode);
    return visit.show({ title: 'Home', wide: true }, html`${head} ${ways(visit)} ${address(publicUrl)}`);
  }),
];

function introduction(mode: SignUpService['mode']): Html {
  return html`<h1 class="hero">A network of short messages</h1>
    <p class="lead">
      This server runs Pipit, which implements the X API v2. Apps and bots written for that API work here
      unchanged.
    </p>
    <div class="actions">
      <a class="button" href="/sign-in">Sign in</a>
      ${mode === 'open' && html`<a class="button plain" href="/sign-up">Sign up</a>`}
      <a class="button plain" href="/docs">API docs</a>
    </div>`;
}

function greeting({ viewer }: SignedInVisit): Html {
  return html`<h1>Hello, <bdi>${shownName(viewer.user)}</bdi></h1>
    <p class="lead">You are signed in as @${viewer.user.username}.</p>`;
}

function ways({ viewer }: Visit): Html {
  return html`<div class="ways">
    ${way(ACCOUNT_PATH, 'Your account', 'Profile, privacy, password and connected apps.')}
    ${way(CONSOLE_PATH, 'Developer console', 'Create an app, get its keys and see its usage.')}
    ${viewer?.isOperator && way(OPERATOR_PATH, 'Operator desk', 'Users, invitations and app access.')}
    ${way('/docs', 'API documentation', 'Every endpoint with its parameters and an example.')}
  </div>`;
}

function address(publicUrl: string): Html {
  return html`<p class="hint">The API is available at <code>${publicUrl}/2/</code>.</p>`;
}

function way(path: string, title: string, text: string): Html {
  return html`<div class="card">
    <h2><a href="${path}">${title}</a></h2>
    <p>${text}</p>
  </div>`;
}
