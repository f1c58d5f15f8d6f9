import { createHmac } from 'node:crypto';
import type { AppId } from '../../core/ids.js';
import type { Queryable } from '../../database/engine.js';
import { findAppSecrets } from '../../stores/apps.js';
import { sealOwner, type Vault } from '../secrets/vault.js';

/** Returns `sha256=` and the HMAC of a text with an app's API secret, in base64 (docs/api/webhooks.md#signature). */
export function sign(apiSecret: string, text: string): string {
  return `sha256=${createHmac('sha256', apiSecret).update(text).digest('base64')}`;
}

/** Returns the API secret of an app; undefined if there is no such app. */
export async function findApiSecret(
  { engine, vault }: { readonly engine: Queryable; readonly vault: Vault },
  appId: AppId,
): Promise<string | undefined> {
  const secrets = await findAppSecrets(engine, appId);
  return secrets && vault.open(secrets.apiSecretSealed, sealOwner.app(appId));
}
