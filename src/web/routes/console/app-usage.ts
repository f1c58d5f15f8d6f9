import { html } from '../../../api/reference/html.js';
import { requireOwnApp } from '../../../services/apps/own-apps.js';
import { CONSOLE_PATH } from '../../navigation.js';
import type { CreateRoutes } from '../../web-context.js';
import { appIdOf, appPage } from './app-section.js';
import { limitsCard, PLOTTED_DAYS, usageCard } from './usage-view.js';

/** How much an app is used, and what is left of its limits. */
export const appUsageRoutes: CreateRoutes = (pages, { accounts, usage, limitsLeft, clock }) => [
  pages.showToUser(`${CONSOLE_PATH}/{id}/usage`, async (visit) => {
    const { user } = visit.viewer;
    const app = await requireOwnApp(accounts, user.id, appIdOf(visit));
    const report = await usage.report(app, PLOTTED_DAYS);
    return appPage(
      visit,
      app,
      { tab: 'usage' },
      html`${usageCard(report, clock())} ${limitsCard(limitsLeft(app, user.id), clock())}`,
    );
  }),
];
