import { DISMISS_PATH } from '../first-steps.js';
import type { CreateRoutes } from '../web-context.js';

/** Dismisses the card of the first steps above the home timeline. */
export const firstStepRoutes: CreateRoutes = (pages) => [
  pages.acceptFromUser(DISMISS_PATH, async (visit) => {
    await visit.api.call('dismissFirstSteps');
    return visit.goTo('/home');
  }),
];
