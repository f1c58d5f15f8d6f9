import { randomInt } from 'node:crypto';
import { invalidRequest } from '../../core/errors.js';
import type { AppId } from '../../core/ids.js';
import type { AppSecrets } from '../../stores/apps.js';
import { hashToken } from '../secrets/secrets.js';
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

type MissingCredentials = { readonly [K in keyof Required<AppCredentials>]: () => string };

/**
 * Returns the credentials that an app has when its world file gives none: the same for the same id and key, so that a
 * sandbox with a seed repeats them.
 */
export function derivedCredentials(vault: Vault, id: AppId): Omit<MissingCredentials, 'bearerToken'> {
  const derived = (name: string, length: number) => () => vault.derivedText(`${name} of app ${id}`, length);
  return {
    apiKey: derived('api_key', 25),
    apiSecret: derived('api_secret', 50),
    clientId: derived('client_id', 34),
    clientSecret: derived('client_secret', 50),
  };
}

/** Validates the given credentials and completes those that are absent by `missing`. */
export function completeCredentials(
  given: Partial<AppCredentials>,
  confidential: boolean,
  missing: MissingCredentials,
): AppCredentials {
  for (const [key, name] of Object.entries(WIRE_NAMES)) {
    const value = given[key as keyof AppCredentials];
    if (value !== undefined) requireCredential(name, value);
  }
  return {
    apiKey: given.apiKey ?? missing.apiKey(),
    apiSecret: given.apiSecret ?? missing.apiSecret(),
    bearerToken: given.bearerToken ?? missing.bearerToken(),
    clientId: given.clientId ?? missing.clientId(),
    clientSecret: given.clientSecret ?? (confidential ? missing.clientSecret() : undefined),
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
