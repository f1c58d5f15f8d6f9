import type { Answer } from '../../../http/answer.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import { html } from '../../../api/reference/html.js';
import {
  invitationPath,
  invite,
  MAX_NOTE_LENGTH,
  openInvitations,
  withdrawInvitation,
} from '../../../services/accounts/invitations.js';
import type { SignUpService } from '../../../services/accounts/sign-up.js';
import { textField } from '../../fields.js';
import { doneAt, doneNote } from '../../forms.js';
import { entryList, secretList, type Entry } from '../../lists.js';
import { dayText } from '../../times.js';
import type { Visit } from '../../visit.js';
import { operatorPage, PATHS } from './operator-pages.js';
import type { PageRoutes } from '../../page-routes.js';
import type { WebContext } from '../../web-context.js';

type Invitation = Awaited<ReturnType<typeof openInvitations>>[number];

/** Invitation links for sign-up. */
export function invitationRoutes(
  pages: PageRoutes,
  { accounts, signUp, publicUrl }: WebContext,
): PlainRoute[] {
  return [
    pages.showToUser(PATHS.invitations, async (visit) =>
      invitationsPage(visit, signUp.mode, await openInvitations(accounts)),
    ),
    pages.acceptFromUser(PATHS.invitations, async (visit) => {
      const code = await invite(accounts, visit.viewer.user.id, visit.form.get('note') ?? '');
      return operatorPage(
        visit,
        { title: 'Invitation', current: PATHS.invitations },
        html`<div class="card">
            ${secretList({ Link: publicUrl + invitationPath(code) })}
            <p>It can be used for one account and expires after fourteen days.</p>
          </div>
          <p><a href="${PATHS.invitations}">Back to invitations</a></p>`,
      );
    }),
    pages.acceptFromUser(`${PATHS.invitations}/withdraw`, async (visit) => {
      const codeHash = visit.form.get('invitation') ?? '';
      const isThere = await withdrawInvitation(accounts, visit.viewer.user.id, codeHash);
      return visit.goTo(doneAt(PATHS.invitations, isThere ? 'withdrawn' : 'gone'));
    }),
  ];
}

const MODES: Readonly<Record<SignUpService['mode'], string>> = {
  closed: 'Sign-up is closed. To use invitations, run this server with --sign-up invitation.',
  invitation: 'Sign-up requires an invitation.',
  open: 'Sign-up is open to everyone, with or without an invitation.',
};

function invitationsPage(
  visit: Visit,
  mode: SignUpService['mode'],
  invitations: readonly Invitation[],
): Answer {
  return operatorPage(
    visit,
    { title: 'Invitations', current: PATHS.invitations },
    html`${doneNote(visit, {
        withdrawn: 'The invitation was withdrawn.',
        gone: 'That invitation was already used.',
      })}
      <p class="lead">${MODES[mode]}</p>
      <form class="card" method="post" action="${PATHS.invitations}">
        ${visit.csrfField()}
        ${textField({
          name: 'note',
          label: 'Note (visible to operators only)',
          maxLength: MAX_NOTE_LENGTH,
        })}
        <div class="actions"><button>Invite</button></div>
      </form>
      <h2>Unused invitations</h2>
      ${entryList(invitations, (invitation) => entry(visit, invitation), html`<p>None.</p>`)}`,
  );
}

function entry(visit: Visit, { codeHash, note, createdAtMs, expiresAtMs }: Invitation): Entry {
  const name = note === '' ? 'No note' : note;
  return {
    what: html`<p><strong>${name}</strong></p>
      <p class="hint">Created ${dayText(createdAtMs)}, expires ${dayText(expiresAtMs)}</p>`,
    aside: html`<form method="post" action="${PATHS.invitations}/withdraw">
      ${visit.csrfField()}
      <button class="danger" name="invitation" value="${codeHash}">
        Withdraw<span class="hidden"> ${name}</span>
      </button>
    </form>`,
  };
}
