import { randomInt } from 'node:crypto';
import { invalidRequest } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { AppSecrets } from '../../stores/apps.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { sealOwner, type Vault } from '../secrets/vault.js';

/** The credentials of an app in plain text: they can be shown once, when they are made. */
export interface AppCredentials {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly bearerToken: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
}

const MAX_CREDENTIAL_LENGTH = 1000;
const CREDENTIAL = /^[!-~]+$/;
const WIRE_NAMES: Readonly<Record<keyof AppCredentials, string>> = {
  apiKey: 'api_key',
  apiSecret: 'api_secret',
  bearerToken: 'bearer_token',
  clientId: 'client_id',
  clientSecret: 'client_secret',
};

/** Throws `invalid-request` for a credential that could not stand in a header: empty, over-long, not visible ASCII. */
export function requireCredential(name: string, value: string): void {
  if (CREDENTIAL.test(value) && value.length <= MAX_CREDENTIAL_LENGTH) return;
  throw invalidRequest(
    name,
    [],
    `The \`${name}\` must consist of 1 to ${MAX_CREDENTIAL_LENGTH} visible ASCII characters`,
  );
}

/** The given credentials of an app, checked, and generated ones for those that are absent. */
export function completeCredentials(
  given: Partial<AppCredentials>,
  confidential: boolean,
  deriveBearer: () => string,
): AppCredentials {
  for (const [key, name] of Object.entries(WIRE_NAMES)) {
    const value = given[key as keyof AppCredentials];
    if (value !== undefined) requireCredential(name, value);
  }
  return {
    apiKey: given.apiKey ?? generate.apiKey(),
    apiSecret: given.apiSecret ?? generate.apiSecret(),
    bearerToken: given.bearerToken ?? deriveBearer(),
    clientId: given.clientId ?? generate.clientId(),
    clientSecret: given.clientSecret ?? (confidential ? generate.clientSecret() : undefined),
  };
}

/** An app's secrets as they are stored. */
export function protectSecrets(
  vault: Vault,
  appId: AppId,
  { apiSecret, clientSecret }: Pick<AppCredentials, 'apiSecret' | 'clientSecret'>,
): AppSecrets {
  return {
    apiSecretSealed: vault.seal(apiSecret, sealOwner.app(appId)),
    clientSecretHash: clientSecret === undefined ? undefined : hashToken(clientSecret),
  };
}

/** Where a new app's bearer serials begin: at random, so that an app deleted and made anew gets other tokens. */
export function firstBearerSerial(): number {
  return randomInt(2 ** 47);
}
