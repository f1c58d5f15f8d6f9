import type { AppService } from '../apps/apps.js';
import type { TokenService } from '../apps/tokens.js';
import type { ServiceDeps } from '../service-deps.js';

/** The dependencies of the services behind the web pages. */
export interface AccountDeps extends ServiceDeps {
  readonly apps: AppService;
  readonly tokens: TokenService;
}
