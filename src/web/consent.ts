import type { Answer } from '../http/answer.js';
import { html, type Html } from '../api/reference/html.js';
import type { AppProfile } from '../services/apps/app-profile.js';
import { sourceOf } from './page.js';
import { signInPath } from './page-routes.js';
import type { SignedInVisit, Visit } from './visit.js';

/** What a user is asked to allow. */
export interface Consent {
  readonly app: AppProfile;
  /** What the app may do, a line each. */
  readonly requestedScopes: readonly string[];
  /** What it may not do, which people ask themselves. */
  readonly limits: readonly string[];
  /** Where the browser goes afterwards; undefined when it stays here. */
  readonly returnUri: string | undefined;
}

/** The field by which the form tells what was decided, and its values. */
export const DECISION_FIELD = 'decision';
export const APPROVE = 'approve';
const DENY = 'deny';

/** The page that asks; its form goes to the address of the page itself, so that nothing of the request gets lost. */
export function consentPage(visit: SignedInVisit, consent: Consent): Answer {
  const { app, requestedScopes, limits, returnUri } = consent;
  const { user } = visit.viewer;
  return visit.show(
    { title: `Allow ${app.name}?`, formTargets: returnUri === undefined ? [] : [sourceOf(returnUri)] },
    html`<h1>Allow <bdi>${app.name}</bdi> to use your account?</h1>
      <p class="lead">You are signed in as <strong>@${user.username}</strong>.</p>
      <form class="card" method="post" action="${visit.request.url}">
        ${visit.csrfField()} ${aboutApp(app)}
        <h2><bdi>${app.name}</bdi> will be able to</h2>
        ${points(requestedScopes)}
        <h2>It will not be able to</h2>
        ${points(limits)}
        ${returnUri !== undefined && html`<p class="hint">Afterwards you go on to ${placeOf(returnUri)}.</p>`}
        <div class="actions">
          <button name="${DECISION_FIELD}" value="${APPROVE}">Allow</button>
          <button class="plain" name="${DECISION_FIELD}" value="${DENY}">Deny</button>
        </div>
      </form>
      <p class="hint">
        You can take this back at any time in your account’s settings. Not @${user.username}?
        <a href="${signInPath({ next: visit.request.url, again: true })}">Use another account</a>
      </p>`,
  );
}

/** What `limits` say for every app. */
export const NO_PASSWORD = 'See or change your password';

/** What the app says of itself, which nobody has checked, and whose it is. */
function aboutApp({ description, website, owner }: AppProfile): Html {
  return html`${description !== '' && html`<p><bdi>${description}</bdi></p>`}
    <dl>
      ${
        owner &&
        html`<dt>Made by</dt>
          <dd><bdi>${owner.name}</bdi> (@${owner.username})</dd>`
      }
      ${
        website !== '' &&
        html`<dt>Website</dt>
          <dd><a href="${website}" rel="nofollow noopener">${website.replace(/^https?:\/\//, '')}</a></dd>`
      }
    </dl>`;
}

function points(lines: readonly string[]): Html {
  return html`<ul class="points">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;
}

/** What went wrong between an app and this server, and the way back to the app. */
export interface RefusedRequest {
  readonly app: AppProfile;
  /** What is wrong with the request. */
  readonly reason: string;
  /** Where the app is told so. */
  readonly returnUri: string;
}

/**
 * The page for a wrong request of an app when nobody is signed in. It leads to the app by a link alone: whoever registers
 * an app could otherwise use addresses of this server to send people anywhere (RFC 9700 4.11).
 */
export function refusedRequestPage(visit: Visit, { app, reason, returnUri }: RefusedRequest): Answer {
  return visit.show(
    { title: 'Wrong request', status: 400 },
    html`<h1><bdi>${app.name}</bdi> sent a wrong request</h1>
      <div class="card">
        <p>You cannot sign in with this app now: what it asked this server for is not valid.</p>
        <p class="hint">${reason}</p>
        ${aboutApp(app)}
        <div class="actions">
          <a class="button plain" href="${returnUri}" rel="nofollow noopener noreferrer">
            Go back to ${placeOf(returnUri)}
          </a>
        </div>
      </div>`,
  );
}

/** The host of a web page, which is what people know it by; the scheme of an app on this device. */
function placeOf(uri: string): Html {
  const { protocol, host } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb ? html`<strong>${host}</strong>` : html`an app on this device (<strong>${protocol}</strong>)`;
}
