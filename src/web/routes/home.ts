import type { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { html, type Html } from '../../api/reference/html.js';
import type { SignUpService } from '../../services/accounts/sign-up.js';
import { ACCOUNT_PATH, CONSOLE_PATH, OPERATOR_PATH } from '../navigation.js';
import type { PageRoutes } from '../page-routes.js';
import { shownName } from '../shown-name.js';
import { isOfUser, type SignedInVisit, type Visit } from '../visit.js';

export interface HomeDeps {
  readonly signUp: Pick<SignUpService, 'mode'>;
  /** Where clients reach the interface. */
  readonly publicUrl: string;
}

/** `/`: what this is, and where to go. */
export function homeRoutes(pages: PageRoutes, { signUp, publicUrl }: HomeDeps): PlainRoute[] {
  return [
    pages.show('/', (visit) =>
      isOfUser(visit) ? memberPage(visit, publicUrl) : strangerPage(visit, signUp.mode, publicUrl),
    ),
  ];
}

function strangerPage(visit: Visit, mode: SignUpService['mode'], publicUrl: string): Answer {
  return visit.show(
    { title: 'Start', wide: true },
    html`<h1 class="hero">A network of short messages</h1>
      <p class="lead">
        This server runs Pipit, which speaks the X API v2: apps and bots written for that interface work here
        unchanged.
      </p>
      <div class="actions">
        <a class="button" href="/sign-in">Sign in</a>
        ${mode === 'open' && html`<a class="button plain" href="/sign-up">Sign up</a>`}
        <a class="button plain" href="/docs">Read the interface</a>
      </div>
      <div class="ways">
        ${way(ACCOUNT_PATH, 'Your account', 'Profile, privacy, password, and the apps that may act for you.')}
        ${way(CONSOLE_PATH, 'Developer console', 'Make an app, get its keys, and see what it uses.')}
        ${docs()}
      </div>
      ${address(publicUrl)}`,
  );
}

function memberPage(visit: SignedInVisit, publicUrl: string): Answer {
  const { user, isOperator } = visit.viewer;
  return visit.show(
    { title: 'Start', wide: true },
    html`<h1>Hello, <bdi>${shownName(user)}</bdi></h1>
      <p class="lead">You are signed in as @${user.username}.</p>
      <div class="ways">
        ${way(ACCOUNT_PATH, 'Your account', 'Profile, privacy, password, and the apps that may act for you.')}
        ${way(CONSOLE_PATH, 'Developer console', 'Make an app, get its keys, and see what it uses.')}
        ${isOperator && way(OPERATOR_PATH, 'Operator’s desk', 'Users, invitations, and what apps may use.')}
        ${docs()}
      </div>
      ${address(publicUrl)}`,
  );
}

function docs(): Html {
  return way('/docs', 'The interface', 'Every endpoint with its parameters and an example.');
}

function address(publicUrl: string): Html {
  return html`<p class="hint">Clients reach the interface at <code>${publicUrl}/2/</code>.</p>`;
}

function way(path: string, title: string, text: string): Html {
  return html`<div class="card">
    <h2><a href="${path}">${title}</a></h2>
    <p>${text}</p>
  </div>`;
}
