import type { AnyEndpoint } from '../../api/endpoint.js';
import { html } from '../../api/reference/html.js';
import { PipitError } from '../../core/errors.js';
import type { Answer } from '../../http/answer.js';
import { NOT_IMPLEMENTED_PATH } from '../../http/problems.js';
import { createCookieJar } from '../cookies.js';
import { attempt, NO_FAULTS } from '../forms.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';
import { ChosenLanguage } from './chosen-language.js';
import { DOCS_PATH, docsPage, ENDPOINTS_PATH, GUIDE_PATHS } from './docs-page.js';
import { endpointIndex } from './endpoint-index.js';
import { endpointPage } from './endpoint-page.js';
import { authenticationGuide } from './guides/authentication.js';
import { errorsGuide } from './guides/errors.js';
import { firstStepsGuide } from './guides/first-steps.js';
import { limitsGuide } from './guides/limits.js';
import { missingOperationsGuide } from './guides/not-implemented.js';
import { queryLanguageGuide } from './guides/query-language.js';
import { overviewPage } from './overview.js';
import { obstacleOf, tryEndpoint } from './try-it.js';
import { tryItView, type TryItState } from './try-it-view.js';

const GUIDES = [
  [GUIDE_PATHS.firstSteps, 'First steps', firstStepsGuide],
  [GUIDE_PATHS.authentication, 'Authentication', authenticationGuide],
  [GUIDE_PATHS.queryLanguage, 'Query language', queryLanguageGuide],
  [GUIDE_PATHS.errors, 'Errors', errorsGuide],
  [GUIDE_PATHS.limits, 'Limits', limitsGuide],
  [NOT_IMPLEMENTED_PATH, 'Not implemented', missingOperationsGuide],
] as const;

/** The documentation of the API, which comes from the declarations of its endpoints. */
export const docsRoutes: CreateRoutes = (pages, context) => {
  const { endpoints, publicUrl: baseUrl, call } = context;
  const language = new ChosenLanguage(createCookieJar(context.isSecure));
  const byId = new Map(endpoints.map((each) => [each.operationId, each]));
  const endpointOf = ({ request }: Visit): AnyEndpoint => {
    const found = byId.get(request.path['operation'] ?? '');
    if (!found) throw new PipitError({ code: 'route-not-found' });
    return found;
  };
  const show = (visit: Visit, endpoint: AnyEndpoint, state?: TryItState): Answer =>
    endpointPage(visit, {
      endpoint,
      related: endpoints.filter(({ tag }) => tag === endpoint.tag),
      baseUrl,
      language: language.of(visit),
      tryIt: tryItView(visit, endpoint, state),
      status: state && state.faults.size > 0 ? 400 : 200,
    });
  const endpointPath = `${ENDPOINTS_PATH}/{operation}`;
  return [
    pages.show(DOCS_PATH, (visit) => overviewPage(visit, endpoints, baseUrl)),
    pages.show(ENDPOINTS_PATH, (visit) => endpointIndex(visit, endpoints)),
    language.keptBy(pages.show(endpointPath, (visit) => show(visit, endpointOf(visit)))),
    pages.acceptFromUser(endpointPath, (visit) => {
      const endpoint = endpointOf(visit);
      if (obstacleOf(endpoint) !== undefined) throw new PipitError({ code: 'route-not-found' });
      const fields = visit.form;
      return attempt(
        () => tryEndpoint(call, endpoint, visit, context.clock),
        (faults) => show(visit, endpoint, { fields, faults }),
        (tried) => show(visit, endpoint, { fields, faults: NO_FAULTS, tried }),
      );
    }),
    ...GUIDES.map(([path, title, body]) =>
      language.keptBy(
        pages.show(path, (visit) => {
          const place = { path, language: language.of(visit) };
          return docsPage(
            visit,
            { title },
            html`<h1>${title}</h1>
              ${body({ visit, context, place })}`,
          );
        }),
      ),
    ),
  ];
};
