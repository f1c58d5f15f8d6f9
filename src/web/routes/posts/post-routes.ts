import type { PlainRoute } from '../../../http/plain-route.js';
import type { PageRoutes } from '../../page-routes.js';
import { showAttached, showPost } from './post-page.js';
import { showProfile } from './profile-page.js';
import { showTagged } from './tag-page.js';
import { publicPage, type PublicPageDeps } from './public-pages.js';

/** The routes of posts and profiles, which links in posts lead to. */
export function postRoutes(pages: PageRoutes, deps: PublicPageDeps): PlainRoute[] {
  return [
    publicPage(pages, deps, '/{username}', (visit) => showProfile(visit, deps)),
    publicPage(pages, deps, '/i/user/{id}', (visit) => showProfile(visit, deps)),
    publicPage(pages, deps, '/i/web/status/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/hashtag/{tag}', (visit) => showTagged(visit, deps, '#')),
    publicPage(pages, deps, '/cashtag/{tag}', (visit) => showTagged(visit, deps, '$')),
    publicPage(pages, deps, '/{username}/status/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/{username}/statuses/{id}', (visit) => showPost(visit, deps)),
    publicPage(pages, deps, '/{username}/status/{id}/photo/{number}', (visit) => showAttached(visit, deps)),
    publicPage(pages, deps, '/{username}/status/{id}/video/{number}', (visit) => showAttached(visit, deps)),
  ];
}
