import { createAuthenticator, type Authenticator } from '../../../src/auth/authenticate.js';
import { createBaseUrlCandidates } from '../../../src/auth/oauth1/base-urls.js';
import { createExchangedCounts } from '../../../src/limits/exchange/exchanged-counts.js';
import { createOAuth1Verifier } from '../../../src/auth/oauth1/verify.js';
import type { AppId, UserId } from '../../../src/core/ids.js';
import { createSnowflakes } from '../../../src/core/snowflake.js';
import type { User } from '../../../src/core/user.js';
import { createAppService, type AppService } from '../../../src/services/apps/apps.js';
import { ephemeralKey } from '../../../src/services/secrets/key-file.js';
import { createTokenService, type TokenService } from '../../../src/services/apps/tokens.js';
import { createVault, type Vault } from '../../../src/services/secrets/vault.js';
import type { Engine } from '../../../src/database/engine.js';
import { insertUser } from '../../../src/stores/users.js';
import { openTestEngine } from '../../support/test-database.js';

export const NOW_MS = Date.UTC(2022, 5, 1);
export const ALICE = 2244994945n as UserId;
export const BOB = 6253282n as UserId;
export const APP = 27n as AppId;
export const OTHER_APP = 28n as AppId;

/** The credentials of the app that `openNetwork` creates. */
export const CREDENTIALS = {
  apiKey: 'xvz1evFS4wEEPTGEFPHBog',
  apiSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
  bearerToken: 'AAAAAAAAAAAAAAAAAAAAAfirst%2Fbearer%3D',
  clientId: 'first-client-id',
  clientSecret: 'first-client-secret',
} as const;

export interface Network {
  readonly engine: Engine;
  readonly vault: Vault;
  readonly apps: AppService;
  readonly tokens: TokenService;
  readonly authenticator: Authenticator;
  /** The current time, set by tests. */
  readonly time: { nowMs: number };
}

/** Creates a database of the run’s engine with alice, bob and an app of alice that can read and write. */
export async function openNetwork(
  publicAddress = { baseUrls: [] as string[], trustedProxies: [] as string[] },
) {
  const time = { nowMs: NOW_MS };
  const clock = () => time.nowMs;
  const engine = await openTestEngine(clock);
  const vault = createVault(ephemeralKey());
  const network: Network = {
    engine,
    vault,
    time,
    apps: createAppService({ engine, ids: createSnowflakes(clock, 1), clock, vault }),
    tokens: createTokenService({ engine, clock, vault }),
    authenticator: createAuthenticator({
      engine,
      clock,
      vault,
      oauth1: createOAuth1Verifier({
        clock,
        nonces: createExchangedCounts().nonces,
        baseUrls: createBaseUrlCandidates(publicAddress),
      }),
    }),
  };
  await engine.tx('seed', async (tx) => {
    await insertUser(tx, userNamed(ALICE, 'alice'));
    await insertUser(tx, userNamed(BOB, 'bob'));
  });
  await network.apps.create({
    id: APP,
    name: 'first app',
    ownerId: ALICE,
    permissions: 'read_write',
    confidential: true,
    credentials: CREDENTIALS,
  });
  return network;
}

export function userNamed(id: UserId, username: string): User {
  return {
    id,
    username,
    name: username,
    createdAtMs: NOW_MS,
    description: '',
    protected: false,
    verified: false,
    allowsPhotoTagging: true,
    receivesDms: 'following',
    suspended: false,
  };
}
