import type { Authenticator } from '../../auth/authenticate.js';
import type { ClientAddress } from '../../auth/client-address.js';
import { readProtocol } from '../../auth/oauth1/protocol.js';
import { codedRefusal } from '../../auth/oauth1/refusal.js';
import type { ThreeLegs } from '../../auth/oauth1/three-legs.js';
import type { TokenService } from '../../services/apps/tokens.js';
import { Answer } from '../../http/answer.js';
import type { PlainRequest, PlainRoute } from '../../http/plain-route.js';
import { codedRoute, formAnswer, signedRequestOf } from './coded-route.js';

export interface OAuth1RouteDeps {
  readonly legs: ThreeLegs;
  readonly authenticator: Authenticator;
  readonly tokens: TokenService;
  readonly addressOf: ClientAddress;
}

/** Creates the routes that issue and revoke OAuth 1.0a tokens (docs/api/authentication.md#three-legged-flow). */
export function oauth1TokenRoutes({ legs, authenticator, tokens, addressOf }: OAuth1RouteDeps): PlainRoute[] {
  const invalidate = async (request: PlainRequest): Promise<Answer> => {
    const signed = signedRequestOf(request);
    const principal = await authenticator.authenticate(signed);
    if (principal.context !== 'oauth1') throw codedRefusal.access();
    const { token = '' } = readProtocol(signed);
    await tokens.revoke(token);
    return new Answer(200, { access_token: token });
  };
  return [
    codedRoute('/oauth/request_token', async (request) => {
      const { token, secret } = await legs.request(signedRequestOf(request), addressOf(request));
      return formAnswer({
        oauth_token: token,
        oauth_token_secret: secret,
        oauth_callback_confirmed: 'true',
      });
    }),
    codedRoute('/oauth/access_token', async (request) => {
      const issued = await legs.exchange(signedRequestOf(request), addressOf(request));
      return formAnswer({
        oauth_token: issued.accessToken,
        oauth_token_secret: issued.accessTokenSecret,
        user_id: String(issued.userId),
        screen_name: issued.username,
      });
    }),
    codedRoute('/1.1/oauth/invalidate_token', invalidate),
    codedRoute('/1.1/oauth/invalidate_token.json', invalidate),
  ];
}
