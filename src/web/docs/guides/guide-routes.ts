import { NOT_IMPLEMENTED_PATH } from '../../../http/problems.js';
import type { PlainRoute } from '../../../http/plain-route.js';
import type { PageRoutes } from '../../page-routes.js';
import type { WebContext } from '../../web-context.js';
import { html, type Html } from '../../../api/reference/html.js';
import type { ChosenLanguage } from '../chosen-language.js';
import { docsPage, GUIDE_PATHS } from '../docs-page.js';
import { authenticationGuide } from './authentication.js';
import { errorsGuide } from './errors.js';
import { firstStepsGuide } from './first-steps.js';
import type { GuideReader } from './guide.js';
import { limitsGuide } from './limits.js';
import { missingOperationsGuide } from './not-implemented.js';
import { queryLanguageGuide } from './query-language.js';

interface Guide {
  readonly path: string;
  readonly title: string;
  readonly body: (reader: GuideReader) => Html;
}

const GUIDES: readonly Guide[] = [
  { path: GUIDE_PATHS.firstSteps, title: 'First steps', body: firstStepsGuide },
  { path: GUIDE_PATHS.authentication, title: 'Authentication', body: authenticationGuide },
  { path: GUIDE_PATHS.queryLanguage, title: 'Query language', body: queryLanguageGuide },
  { path: GUIDE_PATHS.errors, title: 'Errors', body: errorsGuide },
  { path: GUIDE_PATHS.limits, title: 'Limits', body: limitsGuide },
  { path: NOT_IMPLEMENTED_PATH, title: 'Not implemented', body: missingOperationsGuide },
];

/** Returns the routes of the guides. */
export function guideRoutes(pages: PageRoutes, context: WebContext, chosen: ChosenLanguage): PlainRoute[] {
  return GUIDES.map(({ path, title, body }) =>
    chosen.keptBy(
      pages.show(path, (visit) => {
        const place = { path, language: chosen.of(visit) };
        return docsPage(
          visit,
          { title },
          html`<h1>${title}</h1>
            ${body({ visit, context, place })}`,
        );
      }),
    ),
  );
}
