import type { AnyEndpoint } from '../api/endpoint.js';
import type { CallOperation } from '../api/inner-call.js';
import type { LimitsLeft } from '../api/limits-left.js';
import type { ClientAddress } from '../auth/client-address.js';
import type { ThreeLegs } from '../auth/oauth1/three-legs.js';
import type { AuthorizationEndpoint } from '../auth/oauth2/authorization-endpoint.js';
import type { PasswordCheck } from '../auth/sign-in.js';
import type { Clock } from '../core/clock.js';
import type { PlainRoute } from '../http/plain-route.js';
import type { AddressLimit } from '../limits/attempts.js';
import type { AccountDeps } from '../services/accounts/account-deps.js';
import type { InstanceService } from '../services/instance/instance.js';
import type { MediaService } from '../services/media/media.js';
import type { SignUpService } from '../services/accounts/sign-up.js';
import type { WebSessionService } from '../services/accounts/web-sessions.js';
import type { UsageService } from '../services/usage/usage.js';
import type { DeliveryHistory } from '../services/webhooks/delivery-history.js';
import type { WebhookService } from '../services/webhooks/webhooks.js';
import type { AutoConsent } from './auto-consent.js';
import type { AppRecordings } from '../journal/app-recordings.js';
import type { LiveEvents } from './inspector/live-events.js';
import type { PageRoutes } from './page-routes.js';

/** Creates the routes of some pages. */
export type CreateRoutes = (pages: PageRoutes, context: WebContext) => PlainRoute[];

/** What the checks of the server found (docs/operations.md#health). */
interface ServerHealth {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>>;
}

/** The dependencies of all pages. */
export interface WebContext {
  /** Calls an endpoint of the API. */
  readonly call: CallOperation;
  /** The endpoints that the documentation shows. */
  readonly endpoints: readonly AnyEndpoint[];
  readonly accounts: AccountDeps;
  readonly sessions: WebSessionService;
  readonly signUp: SignUpService;
  readonly passwords: PasswordCheck;
  readonly authorization: AuthorizationEndpoint;
  /** Decides without the user; see `--consent`. */
  readonly autoConsent: AutoConsent;
  readonly legs: ThreeLegs;
  readonly usage: Pick<UsageService, 'report'>;
  readonly webhooks: Pick<WebhookService, 'listOf' | 'check'>;
  readonly deliveries: DeliveryHistory;
  readonly recordings: AppRecordings;
  /** The browsers that follow recordings. */
  readonly recordingEvents: LiveEvents;
  readonly limitsLeft: LimitsLeft;
  readonly limitSignUps: AddressLimit;
  readonly limitPages: AddressLimit;
  readonly instance: InstanceService;
  readonly mediaOrigin?: string;
  readonly media: Pick<MediaService, 'checkPicture'>;
  readonly addressOf: ClientAddress;
  /** Checks the server, at most once a second. */
  readonly health: () => Promise<ServerHealth>;
  readonly version: string;
  readonly clock: Clock;
  /** The base URL of the server. */
  readonly publicUrl: string;
  /** True when browsers use TLS; cookies are then Secure. */
  readonly isSecure: boolean;
  /** False: visitors must sign in to see posts and profiles. */
  readonly isOpen: boolean;
}
