import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { AppId } from '../../core/ids.js';
import { BEARER_PREFIX } from './secrets.js';
import { NamedError } from '../../core/named-error.js';

/** The length of the key in the key file. */
export const KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The version of the sealed format. */
const VERSION = 'v1';

/** Encrypts secrets that OAuth 1.0a needs in plain text, and derives secrets that need no storage (SECURITY.md). */
export type Vault = ReturnType<typeof createVault>;

/** The owners of sealed secrets. */
export const sealOwner = {
  app: (id: AppId) => `app ${id}`,
  appBearer: (id: AppId) => `bearer of app ${id}`,
  oauth1Token: (token: string) => `oauth1 ${token}`,
  requestToken: (token: string) => `request token ${token}`,
} as const;

/** Thrown when a stored secret cannot be decrypted, usually because the key file belongs to another database. */
export class SealBroken extends NamedError {
  constructor(options?: ErrorOptions) {
    super('a stored secret cannot be decrypted: does the key file belong to this database?', options);
  }
}

/** Creates a vault. Throws RangeError unless the key is 32 bytes long. */
export function createVault(key: Uint8Array) {
  if (key.length !== KEY_BYTES)
    throw new RangeError(`the key has ${key.length} bytes instead of ${KEY_BYTES}`);
  const sealKey = deriveKey(key, 'pipit seal v1');
  const bearerKey = deriveKey(key, 'pipit bearer v1');
  const textKey = deriveKey(key, 'pipit text v1');
  return {
    /** Encrypts a secret. `owner` is authenticated: decryption fails for any other owner. */
    seal: (secret: string, owner: string) => seal(sealKey, secret, owner),
    /** Decrypts a secret. Throws SealBroken when the key, the owner or the text differs. */
    open: (sealed: string, owner: string) => {
      try {
        return open(sealKey, sealed, owner);
      } catch (cause) {
        throw new SealBroken({ cause });
      }
    },
    /**
     * Derives the app-only bearer token of an app. Only its hash is stored, yet repeated requests get the same token
     * (docs/api/authentication.md#app-only-bearer-token). Each `serial` gives a different token.
     */
    bearerToken: (appId: AppId, serial: number) =>
      BEARER_PREFIX + createHmac('sha512', bearerKey).update(`${appId} ${serial}`).digest('base64url'),
    /** Derives a secret of up to 100 letters and digits for a purpose; it is always the same. */
    derivedText: (purpose: string, length: number) => derivedText(textKey, purpose, length),
  };
}

function derivedText(key: Buffer, purpose: string, length: number): string {
  const blocks = [0, 1, 2].map((block) =>
    createHmac('sha512', key).update(`${purpose} ${block}`).digest('base64'),
  );
  return blocks
    .join('')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, length);
}

/** Derives one key per purpose (RFC 5869), so that no use of a key weakens another. */
export function deriveKey(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES));
}

function seal(key: Buffer, secret: string, owner: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function open(key: Buffer, sealed: string, owner: string): string {
  const [version, text = ''] = sealed.split('.', 2);
  if (version !== VERSION) throw new RangeError(`unknown form ${version}`);
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
