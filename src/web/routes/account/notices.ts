import { html, type Html } from '../../../api/reference/html.js';
import { doneAt, doneNote } from '../../forms.js';
import { entryList } from '../../lists.js';
import type { WireNotice } from '../../notices.js';
import { momentText } from '../../times.js';
import type { SignedInVisit } from '../../visit.js';
import type { CreateRoutes } from '../../web-context.js';
import { accountPage, PATHS } from './account-section.js';

/** What the operators did about posts of the user, and why. */
export const noticeRoutes: CreateRoutes = (pages) => [
  pages.showToUser(PATHS.notices, async (visit) => {
    const page = visit.query.get('page') ?? undefined;
    const { data = [], meta } = await visit.api.call<WireNotice[]>('getNotices', { pagination_token: page });
    const none = html`<p class="absent">
      Nothing. If the operators of this server remove a post of yours, you read the reason here.
    </p>`;
    return accountPage(
      visit,
      { title: 'Notices', current: PATHS.notices },
      html`${doneNote(visit, { read: 'Marked as read.' })} ${entryList(data, entry, none)}
      ${readForm(visit, data)}
      ${
        meta?.next_token !== undefined &&
        html`<p>
          <a
            class="button plain"
            href="${PATHS.notices}?${new URLSearchParams({ page: meta.next_token }).toString()}"
            >Older notices</a
          >
        </p>`
      }`,
    );
  }),
  pages.acceptFromUser(PATHS.notices, async (visit) => {
    await visit.api.call('readNotices', { up_to_id: visit.form.get('up_to_id') ?? '' });
    return visit.goTo(doneAt(PATHS.notices, 'read'));
  }),
];

function entry({ excerpt, reason, created_at: time, is_read: isRead }: WireNotice) {
  return {
    what: html`<p>
        <strong>A post of yours was removed</strong> ${!isRead && html`<span class="mark">new</span>`}
      </p>
      ${excerpt !== '' && html`<p class="written reported" dir="auto">${excerpt}</p>`}
      <p dir="auto">Reason: ${reason}</p>
      <p class="hint">${momentText(Date.parse(time))}</p>`,
  };
}

function readForm(visit: SignedInVisit, notices: readonly WireNotice[]): Html | undefined {
  const [newest] = notices;
  if (!newest || newest.is_read) return undefined;
  return html`<form method="post" action="${PATHS.notices}">
    ${visit.csrfField()}
    <button class="plain" name="up_to_id" value="${newest.id}">Mark as read</button>
  </form>`;
}
