import { html } from '../../../api/reference/html.js';
import type { User } from '../../../core/user.js';
import { searchUsers } from '../../../services/accounts/operators.js';
import { textField } from '../../fields.js';
import { shownName } from '../../shown-name.js';
import { entryList, type Entry } from '../../lists.js';
import { doneNote } from '../../forms.js';
import { operatorPage, PATHS } from './operator-pages.js';
import type { CreateRoutes } from '../../web-context.js';

const SHOWN = 50;

/** All users, or those whose username starts with `q`. */
export const userListRoutes: CreateRoutes = (pages, { accounts }) => [
  pages.showToUser(PATHS.users, async (visit) => {
    const text = visit.query.get('q') ?? '';
    const { users, next } = await searchUsers(accounts, text, visit.query.get('after') ?? '', SHOWN);
    return operatorPage(
      visit,
      { title: 'Users', current: PATHS.users },
      html`${doneNote(visit, { deleted: 'The account is hidden, signed out and being deleted.' })}
        <form class="bar" method="get" action="${PATHS.users}" role="search">
          ${textField({
            name: 'q',
            label: 'Start of a username, or an id',
            type: 'search',
            value: text,
          })}
          <button>Search</button>
        </form>
        ${entryList(users, entry, html`<p>No users found.</p>`)}
        ${next !== undefined && html`<p><a class="button plain" href="${moreAt(text, next)}">More</a></p>`}`,
    );
  }),
];

function moreAt(text: string, after: string): string {
  return `${PATHS.users}?${new URLSearchParams({ q: text, after }).toString()}`;
}

function entry(user: User): Entry {
  const { id, username, protected: isProtected, suspended } = user;
  return {
    what: html`<a href="${PATHS.user}/${String(id)}"><strong>@${username}</strong></a>
      <bdi>${shownName(user)}</bdi> ${isProtected && html`<span class="mark">protected</span>`}
      ${suspended && html`<span class="mark">suspended</span>`}`,
  };
}
