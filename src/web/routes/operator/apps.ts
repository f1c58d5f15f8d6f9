import { html, type Html } from '../../../api/reference/html.js';
import { ACCESS_LEVELS, TRACKS } from '../../../core/access.js';
import type { AppId } from '../../../core/ids.js';
import { postCap } from '../../../core/usage-period.js';
import type { AccountDeps } from '../../../services/accounts/account-deps.js';
import { findUserDetails } from '../../../services/accounts/operators.js';
import { deleteManagedApp, updateManagedApp } from '../../../services/apps/managed-apps.js';
import type { OwnApp } from '../../../services/apps/own-apps.js';
import { LEVEL_WORDS, PERMISSION_WORDS, TRACK_WORDS } from '../../scope-words.js';
import { radios } from '../../fields.js';
import { doneAt, doneNote } from '../../forms.js';
import { findInPath } from '../../id-in-path.js';
import { entryList, factList, linkEntry, type Entry } from '../../lists.js';
import { numberText } from '../../plot.js';
import type { Visit } from '../../visit.js';
import { deleteCard, DELETES_APP } from '../delete-card.js';
import { operatorPage, PATHS } from './operator-pages.js';
import type { CreateRoutes } from '../../web-context.js';

/** All apps, and the access that operators grant them (docs/api/authentication.md#levels-and-tracks). */
export const operatorAppRoutes: CreateRoutes = (pages, { accounts }) => {
  const path = `${PATHS.apps}/{id}`;
  return [
    pages.showToUser(PATHS.apps, async (visit) => {
      const apps = await accounts.apps.list();
      return operatorPage(
        visit,
        { title: 'Apps', current: PATHS.apps },
        html`${doneNote(visit, { deleted: 'The app and all its tokens were deleted.' })}
        ${entryList(apps, entry, html`<p>No apps.</p>`)}`,
      );
    }),
    pages.showToUser(path, async (visit) => {
      const app = await requireApp(accounts, visit);
      const owner = await findUserDetails(accounts, app.ownerId);
      return operatorPage(
        visit,
        { title: app.name, current: PATHS.apps },
        html`${doneNote(visit, { granted: 'The access of the app was changed.' })}
        ${factsCard(app, owner?.user.username)} ${grantForm(visit, app)}
        ${deleteCard(visit, app.name, `${PATHS.apps}/${String(app.id)}`, DELETES_APP)}`,
      );
    }),
    pages.acceptFromUser(path, async (visit) => {
      const { id } = await requireApp(accounts, visit);
      const accessLevel = ACCESS_LEVELS.find((each) => each === visit.form.get('access_level'));
      const track = TRACKS.find((each) => each === visit.form.get('track'));
      await updateManagedApp(accounts, id, { accessLevel, track }, visit.viewer.user.id);
      return visit.goTo(doneAt(`${PATHS.apps}/${String(id)}`, 'granted'));
    }),
    pages.acceptFromUser(`${path}/delete`, async (visit) => {
      const { id } = await requireApp(accounts, visit);
      await deleteManagedApp(accounts, id, visit.viewer.user.id);
      return visit.goTo(doneAt(PATHS.apps, 'deleted'));
    }),
  ];
};

function requireApp(accounts: AccountDeps, visit: Visit): Promise<OwnApp> {
  return findInPath(visit, (id: AppId) => accounts.apps.find(id));
}

function entry({ id, name, accessLevel, track }: OwnApp): Entry {
  const hint = `${LEVEL_WORDS[accessLevel]} access · ${TRACK_WORDS[track]} track`;
  return linkEntry(`${PATHS.apps}/${String(id)}`, name, hint);
}

function factsCard(app: OwnApp, owner: string | undefined): Html {
  return html`<div class="card">
    ${app.description !== '' && html`<p>${app.description}</p>`}
    ${factList({
      'App ID': html`<code>${String(app.id)}</code>`,
      Owner:
        owner === undefined
          ? String(app.ownerId)
          : html`<a href="${PATHS.user}/${String(app.ownerId)}">@${owner}</a>`,
      Website: app.website !== '' && app.website,
      Permissions: PERMISSION_WORDS[app.permissions],
      'Posts per month': numberText(postCap(app)),
    })}
  </div>`;
}

const LEVEL_HINTS: Readonly<Record<OwnApp['accessLevel'], string>> = {
  essential: 'no v1.1 except media upload, no advanced search operators',
  basic: 'a later, smaller plan',
  elevated: 'v1.1 endpoints and advanced search operators',
};

function grantForm(visit: Visit, app: OwnApp): Html {
  const levels = ACCESS_LEVELS.map((value) => {
    const cap = numberText(postCap({ accessLevel: value, track: 'standard' }));
    return [value, `${LEVEL_WORDS[value]}: ${LEVEL_HINTS[value]}, ${cap} posts per month`] as const;
  });
  return html`<form class="card" method="post" action="${PATHS.apps}/${String(app.id)}">
    <h2>Access</h2>
    ${visit.csrfField()}
    ${radios({ name: 'access_level', legend: 'Access level', choices: Object.fromEntries(levels), chosen: app.accessLevel })}
    ${radios({
      name: 'track',
      legend: 'Track',
      choices: {
        standard: TRACK_WORDS.standard,
        academic_research: `${TRACK_WORDS.academic_research}: full-archive search and counts, longer queries`,
      },
      chosen: app.track,
    })}
    <div class="actions"><button>Grant</button></div>
  </form>`;
}
