import type { AnyEndpoint } from '../../api/endpoint.js';
import { PipitError } from '../../core/errors.js';
import type { Answer } from '../../http/answer.js';
import { createCookieJar } from '../cookies.js';
import { attempt, NO_FAULTS } from '../forms.js';
import type { Visit } from '../visit.js';
import type { CreateRoutes } from '../web-context.js';
import { ChosenLanguage } from './chosen-language.js';
import { DOCS_PATH, ENDPOINTS_PATH } from './docs-page.js';
import { endpointIndex } from './endpoint-index.js';
import { endpointPage } from './endpoint-page.js';
import { guideRoutes } from './guides/guide-routes.js';
import { overviewPage } from './overview.js';
import { obstacleOf, tryEndpoint } from './try-it.js';
import { tryItView, type TryItState } from './try-it-view.js';

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
    ...guideRoutes(pages, context, language),
  ];
};
