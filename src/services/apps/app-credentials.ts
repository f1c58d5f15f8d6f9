import { randomInt } from 'node:crypto';
import { invalidRequest } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { AppSecrets } from '../../stores/apps.js';
import { generate, hashToken } from '../secrets/secrets.js';
import { sealOwner, type Vault } from '../secrets/vault.js';

/** The credentials of an app in plain text; available only at creation. */
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

/** Throws `invalid-request` for a credential that is not valid in a header: empty, too long, or not visible ASCII. */
export function requireCredential(name: string, value: string): void {
  if (CREDENTIAL.test(value) && value.length <= MAX_CREDENTIAL_LENGTH) return;
  throw invalidRequest(
    name,
    [],
    `The \`${name}\` must consist of 1 to ${MAX_CREDENTIAL_LENGTH} visible ASCII characters`,
  );
}

/** Validates the given credentials and generates those that are absent. */
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

/** Returns an app's secrets in their stored form. */
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

/**
 * Returns the first bearer serial of a new app. It is random, so that an app that is deleted and created again gets
 * different tokens.
 */
export function firstBearerSerial(): number {
  return randomInt(2 ** 47);
}
