import { appOnlyTokenRoutes, oauth1TokenRoutes } from '../api/oauth/coded-tokens.js';
import { oauth2TokenRoutes } from '../api/oauth/oauth2-tokens.js';
import type { AnyEndpoint } from '../api/endpoint.js';
import type { CallOperation } from '../api/inner-call.js';
import { createLimitsLeft } from '../api/limits-left.js';
import { createAppOnly } from '../auth/app-only.js';
import type { Authenticator } from '../auth/authenticate.js';
import { createCountedAddress } from '../auth/client-address.js';
import { ADDRESS_LIMITS, createAddressLimit, createLegLimits, scaleLimit } from '../limits/attempts.js';
import { createThreeLegs } from '../auth/oauth1/three-legs.js';
import type { OAuth1Verifier } from '../auth/oauth1/verify.js';
import { createAuthorizationEndpoint } from '../auth/oauth2/authorization-endpoint.js';
import type { RateLimiter } from '../limits/rate-limit.js';
import type { RateWindowStore } from '../limits/rate-windows.js';
import { createPasswordCheck } from '../auth/sign-in.js';
import type { createReadiness } from '../operations/readiness.js';
import type { Backend } from './backend.js';
import type { Config } from './config.js';
import { pipitVersion } from './pipit-version.js';
import { createSignUpService } from '../services/accounts/sign-up.js';
import type { InstanceService } from '../services/instance/instance.js';
import type { MediaService } from '../services/media/media.js';
import type { UsageService } from '../services/usage/usage.js';
import type { DeliveryHistory } from '../services/webhooks/delivery-history.js';
import type { WebhookService } from '../services/webhooks/webhooks.js';
import { createWebSessionService } from '../services/accounts/web-sessions.js';
import { defaultPictureRoute } from '../web/routes/default-picture.js';
import { createAutoConsent } from '../web/auto-consent.js';
import type { AppRecordings } from '../journal/app-recordings.js';
import type { LiveEvents } from '../web/inspector/live-events.js';
import { createCookieJar } from '../web/cookies.js';
import { createProblemPages } from '../web/problem-pages.js';
import type { WebContext } from '../web/web-context.js';
import { webRoutes } from '../web/web-routes.js';

/** The dependencies that pages and OAuth share with the API. */
export interface PlainRouteDeps {
  readonly backend: Backend;
  readonly call: CallOperation;
  readonly windows: RateWindowStore;
  readonly authenticator: Authenticator;
  readonly oauth1: OAuth1Verifier;
  /** The public URL of the server. */
  readonly publicUrl: string;
  /** The endpoints, for the documentation and the rate limits shown on pages. */
  readonly endpoints: readonly AnyEndpoint[];
  readonly limiter: RateLimiter;
  readonly usage: UsageService;
  readonly instance: InstanceService;
  readonly media: Pick<MediaService, 'checkPicture'>;
  /** Where links of media lead besides this server. */
  readonly mediaOrigin?: string;
  readonly recordings: AppRecordings;
  readonly recordingEvents: LiveEvents;
  readonly health: ReturnType<typeof createReadiness>;
  readonly webhooks: { readonly service: WebhookService; readonly history: DeliveryHistory };
}

/** Creates all routes outside the API catalogue, and the pages of problems, which other routes show, too. */
export function createPlainRoutes(config: Config, deps: PlainRouteDeps) {
  const { backend, windows, authenticator, oauth1, publicUrl, usage } = deps;
  const { engine, clock } = backend;
  const limits = createLegLimits({ windows, clock, mode: config.rateLimits });
  const legs = createThreeLegs({ ...backend, verifier: oauth1, limits, isStrict: config.strictOauth1 });
  const addressOf = createCountedAddress(config.trustedProxy);
  const context: WebContext = {
    call: deps.call,
    endpoints: deps.endpoints,
    legs,
    accounts: backend,
    clock,
    publicUrl,
    usage,
    instance: deps.instance,
    media: deps.media,
    mediaOrigin: deps.mediaOrigin,
    webhooks: deps.webhooks.service,
    deliveries: deps.webhooks.history,
    health: deps.health,
    version: pipitVersion(),
    recordings: deps.recordings,
    recordingEvents: deps.recordingEvents,
    signUp: createSignUpService({ ...backend, mode: config.signUp }),
    limitSignUps: createAddressLimit({ windows, clock }, 'password forms', ADDRESS_LIMITS.passwordForms),
    limitsLeft: createLimitsLeft(deps.endpoints, deps.limiter),
    authorization: createAuthorizationEndpoint(backend),
    autoConsent: createAutoConsent(config.consent === 'auto'),
    sessions: createWebSessionService({ engine, clock }),
    passwords: createPasswordCheck({ engine, clock, windows }),
    addressOf,
    limitPages: createAddressLimit(
      { windows, clock },
      'pages',
      scaleLimit(ADDRESS_LIMITS.pages, config.rateLimits),
    ),
    isOpen: config.publicPages === 'on',
    isSecure: publicUrl.startsWith('https:'),
  };
  const showProblem = createProblemPages({ ...context, cookies: createCookieJar(context.isSecure) });
  const routes = [
    ...webRoutes(context, showProblem),
    defaultPictureRoute,
    ...oauth2TokenRoutes(backend),
    ...oauth1TokenRoutes({ legs, authenticator, tokens: backend.tokens, addressOf }),
    ...appOnlyTokenRoutes(createAppOnly({ ...backend, authenticator })),
  ];
  return { routes, showProblem };
}
