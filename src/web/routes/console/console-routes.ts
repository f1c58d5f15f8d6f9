import type { PlainRoute } from '../../../http/plain-route.js';
import type { PageRoutes } from '../../page-routes.js';
import { appListRoutes } from './app-list.js';
import { appPageRoutes, type AppPageDeps } from './app-page.js';
import { appKeyRoutes } from './app-keys.js';

/** The routes below `/my-apps`: a developer's own apps. */
export function consoleRoutes(pages: PageRoutes, deps: AppPageDeps): PlainRoute[] {
  return [
    ...appListRoutes(pages, deps.accounts),
    ...appPageRoutes(pages, deps),
    ...appKeyRoutes(pages, deps.accounts),
  ];
}
