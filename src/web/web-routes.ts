import type { ShowProblem } from '../http/exchange.js';
import type { PlainRoute } from '../http/plain-route.js';
import { assetRoutes } from './assets.js';
import { createCookieJar } from './cookies.js';
import { createPageRoutes } from './page-routes.js';
import { appearanceRoutes } from './routes/account/appearance.js';
import { closingRoutes } from './routes/account/closing.js';
import { connectedAppRoutes } from './routes/account/connected-apps.js';
import { followRequestRoutes } from './routes/account/follow-requests.js';
import { hiddenPeopleRoutes } from './routes/account/hidden-people.js';
import { noticeRoutes } from './routes/account/notices.js';
import { passwordRoutes } from './routes/account/password.js';
import { privacyRoutes } from './routes/account/privacy.js';
import { profileRoutes } from './routes/account/profile.js';
import { sessionRoutes } from './routes/account/sessions.js';
import { oauth1ConsentRoutes } from './routes/authorize-oauth1.js';
import { oauth2ConsentRoutes } from './routes/authorize-oauth2.js';
import { appKeyRoutes } from './routes/console/app-keys.js';
import { appListRoutes } from './routes/console/app-list.js';
import { appOverviewRoutes } from './routes/console/app-overview.js';
import { appRequestRoutes } from './routes/console/app-requests.js';
import { appSettingsRoutes } from './routes/console/app-settings.js';
import { appUsageRoutes } from './routes/console/app-usage.js';
import { appWebhookRoutes } from './routes/console/app-webhooks.js';
import { docsRoutes } from './docs/docs-routes.js';
import { notificationRoutes } from './routes/notifications.js';
import { completionRoutes } from './routes/completions.js';
import { bookmarkRoutes } from './routes/bookmarks.js';
import { conversationListRoutes } from './routes/messages/conversation-list.js';
import { conversationRoutes } from './routes/messages/conversation.js';
import { deleteMessageRoutes } from './routes/messages/delete-message.js';
import { newMessageRoutes } from './routes/messages/new-message.js';
import { showPeople } from './routes/posts/people-page.js';
import { searchRoutes } from './routes/search.js';
import { liveRoutes } from './routes/live.js';
import { feedRoutes } from './routes/feeds/feed-routes.js';
import { listRoutes } from './routes/lists/list-routes.js';
import { installRoutes } from './routes/install.js';
import { spaceRoutes } from './routes/spaces/space-routes.js';
import { homeRoutes } from './routes/home.js';
import { messageMediaRoutes } from './routes/messages/message-media.js';
import { composeRoutes } from './routes/posts/compose-page.js';
import { mediaUploadRoutes } from './routes/posts/media-uploads.js';
import { draftRoutes } from './routes/posts/drafts-page.js';
import { deletePostRoutes } from './routes/posts/delete-post.js';
import { postMenuRoutes } from './routes/posts/post-menu.js';
import { profileActionRoutes } from './routes/posts/profile-actions.js';
import { postActionRoutes } from './routes/posts/act-on-post.js';
import { ABOUT_POSTS, showAbout, showAttached, showPost } from './routes/posts/post-page.js';
import { PROFILE_TABS, type ProfileTabName } from './routes/profiles/profile-tabs.js';
import { showProfile } from './routes/posts/profile-page.js';
import { publicPage } from './routes/posts/public-pages.js';
import { showTagged } from './routes/posts/tag-page.js';
import { operatorAppRoutes } from './routes/operator/apps.js';
import { auditRoutes } from './routes/operator/audit.js';
import { instanceRoutes } from './routes/operator/instance.js';
import { invitationRoutes } from './routes/operator/invitations.js';
import { forOperators } from './routes/operator/operator-pages.js';
import { overviewRoutes } from './routes/operator/overview.js';
import { reportListRoutes } from './routes/operator/reports.js';
import { reportCaseRoutes } from './routes/operator/report-case.js';
import { removePostRoutes } from './routes/operator/remove-post.js';
import { userListRoutes } from './routes/operator/user-list.js';
import { recoveryRoutes, userPageRoutes } from './routes/operator/user-page.js';
import { reportRoutes } from './routes/report.js';
import { resetPasswordRoutes } from './routes/reset-password.js';
import { signInRoutes } from './routes/sign-in.js';
import { signUpRoutes } from './routes/sign-up.js';
import type { CreateRoutes, WebContext } from './web-context.js';

/** The routes of the tabs of profiles beside the first. */
const profileTabRoutes: CreateRoutes = (pages, context) =>
  (Object.keys(PROFILE_TABS) as ProfileTabName[])
    .filter((name) => name !== '')
    .flatMap((name) =>
      ['/{username}', '/i/user/{id}'].map((base) =>
        publicPage(pages, context, `${base}/${name}`, (visit) => showProfile(visit, context, name)),
      ),
    );

/** The routes of posts and profiles, which links in posts lead to. */
const postRoutes: CreateRoutes = (pages, context) => [
  publicPage(pages, context, '/{username}', (visit) => showProfile(visit, context)),
  publicPage(pages, context, '/{username}/followers', (visit) => showPeople(visit, context, 'followers')),
  publicPage(pages, context, '/{username}/following', (visit) => showPeople(visit, context, 'following')),
  publicPage(pages, context, '/i/user/{id}', (visit) => showProfile(visit, context)),
  ...profileTabRoutes(pages, context),
  publicPage(pages, context, '/i/web/status/{id}', (visit) => showPost(visit, context)),
  publicPage(pages, context, '/hashtag/{tag}', (visit) => showTagged(visit, context, '#')),
  publicPage(pages, context, '/cashtag/{tag}', (visit) => showTagged(visit, context, '$')),
  publicPage(pages, context, '/{username}/status/{id}', (visit) => showPost(visit, context)),
  publicPage(pages, context, '/{username}/statuses/{id}', (visit) => showPost(visit, context)),
  publicPage(pages, context, '/{username}/status/{id}/photo/{number}', (visit) =>
    showAttached(visit, context),
  ),
  publicPage(pages, context, '/{username}/status/{id}/video/{number}', (visit) =>
    showAttached(visit, context),
  ),
  ...ABOUT_POSTS.map((what) =>
    publicPage(pages, context, `/{username}/status/{id}/${what}`, (visit) => showAbout(visit, context, what)),
  ),
];

/** The routes of pages and forms, except those for operators. */
const ROUTES = [
  homeRoutes,
  installRoutes,
  searchRoutes,
  feedRoutes,
  liveRoutes,
  bookmarkRoutes,
  conversationListRoutes,
  newMessageRoutes,
  conversationRoutes,
  deleteMessageRoutes,
  notificationRoutes,
  signInRoutes,
  signUpRoutes,
  resetPasswordRoutes,
  profileRoutes,
  privacyRoutes,
  appearanceRoutes,
  followRequestRoutes,
  hiddenPeopleRoutes,
  connectedAppRoutes,
  passwordRoutes,
  sessionRoutes,
  noticeRoutes,
  closingRoutes,
  appListRoutes,
  appOverviewRoutes,
  appSettingsRoutes,
  appUsageRoutes,
  appKeyRoutes,
  appWebhookRoutes,
  appRequestRoutes,
  docsRoutes,
  messageMediaRoutes,
  listRoutes,
  spaceRoutes,
  postRoutes,
  postActionRoutes,
  postMenuRoutes,
  deletePostRoutes,
  completionRoutes,
  composeRoutes,
  draftRoutes,
  mediaUploadRoutes,
  profileActionRoutes,
  reportRoutes,
  oauth2ConsentRoutes,
  oauth1ConsentRoutes,
] as const;

const OPERATOR_ROUTES = [
  overviewRoutes,
  reportListRoutes,
  reportCaseRoutes,
  removePostRoutes,
  userListRoutes,
  userPageRoutes,
  recoveryRoutes,
  operatorAppRoutes,
  invitationRoutes,
  instanceRoutes,
  auditRoutes,
] as const;

/** Returns the routes of all pages and forms. */
export function webRoutes(context: WebContext, showProblem: ShowProblem): PlainRoute[] {
  const pages = createPageRoutes({ ...context, cookies: createCookieJar(context.isSecure), showProblem });
  const operatorPages = forOperators(pages);
  return [
    ...assetRoutes(),
    ...ROUTES.flatMap((routes) => routes(pages, context)),
    ...OPERATOR_ROUTES.flatMap((routes) => routes(operatorPages, context)),
  ];
}
