import { html, type Html } from '../api/reference/html.js';
import type { Answer } from '../http/answer.js';
import { SWITCH_PATH } from './navigation.js';
import { ownPath } from './own-path.js';
import type { FormVisit } from './visit.js';

/** Returns why a form without a valid CSRF token did nothing. */
export function staleReason({ openedBy, viewer }: FormVisit): string {
  return openedBy && viewer
    ? `This form is out of date: it was opened as @${openedBy.username}, and you act as @${viewer.user.username} now. Nothing was sent or changed.`
    : 'This form is out of date, or did not come from this site. Nothing was sent or changed.';
}

/**
 * Returns the page for a form without a valid CSRF token: of an earlier session, of another account of the browser
 * (`FormVisit.openedBy`), or of another site. Nothing was done. It says what to do, and shows the text that was sent, so that
 * none is lost.
 */
export function staleFormPage(visit: FormVisit): Answer {
  const { heading, advice } = wordsFor(visit);
  return visit.show(
    { title: heading, status: 403 },
    html`<h1>${heading}</h1>
      <div class="card">${advice}</div>
      ${writtenIn(visit.form).map(
        ([name, text], index) =>
          html`<div class="field">
            <label for="kept-${index}">What you wrote: ${name.slice(0, 30).replaceAll('_', ' ')}</label>
            <textarea id="kept-${index}" dir="auto" readonly>${text}</textarea>
          </div>`,
      )}`,
  );
}

function wordsFor(visit: FormVisit): { heading: string; advice: Html } {
  const { openedBy } = visit;
  const back = ownPath(visit.form.get('back')) ?? '/home';
  if (openedBy && visit.viewer) {
    return {
      heading: 'This form belongs to another account',
      advice: html`<p>${staleReason(visit)}</p>
        <form method="post" action="${SWITCH_PATH}">
          ${visit.csrfField()} <input type="hidden" name="next" value="${back}" />
          <div class="actions">
            <button name="account" value="${openedBy.id.toString()}">Switch to @${openedBy.username}</button>
            <a class="button plain" href="${back}">Stay @${visit.viewer.user.username}</a>
          </div>
        </form>`,
    };
  }
  if (!visit.viewer) {
    return {
      heading: 'You are not signed in',
      advice: html`<p>
          This form is out of date: you have signed out meanwhile, or the session has ended. Nothing was sent
          or changed. Sign in and try again.
        </p>
        <div class="actions">
          <a class="button" href="/sign-in?${new URLSearchParams({ next: back }).toString()}">Sign in</a>
        </div>`,
    };
  }
  return {
    heading: 'This form is out of date',
    advice: html`<p>
        It was opened before you signed in, or did not come from this site. Nothing was sent or changed. Open
        the page again and repeat it there.
      </p>
      <div class="actions"><a class="button" href="${back}">Open the page again</a></div>`,
  };
}

/** More fields than any form of a person has. */
const MAX_SHOWN = 30;

/** Returns the fields that a person has written: those with several words. Passwords are never shown. */
function writtenIn(form: URLSearchParams): [name: string, text: string][] {
  const fields = [...form].filter(
    ([name, value]) => /\s/.test(value.trim()) && !/password|secret/i.test(name),
  );
  return fields.slice(0, MAX_SHOWN);
}
