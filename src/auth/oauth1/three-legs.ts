import { narrowerPermission, permits, type Permission } from '../../core/access.js';
import type { UserId } from '../../core/ids.js';
import { lockActiveAccount } from '../../services/accounts/authority.js';
import { equalsInConstantTime, generate, hashToken } from '../../services/secrets/secrets.js';
import { sealOwner, type Vault } from '../../services/secrets/vault.js';
import { findApp, findAppByApiKey, findAppSecrets, type App } from '../../stores/apps.js';
import type { Tx } from '../../database/engine.js';
import {
  consentToRequestToken,
  countVerifierFailure,
  deleteRequestToken,
  findRequestToken,
  insertRequestToken,
  type RequestToken,
} from '../../stores/request-tokens.js';
import { listOAuth1Permissions } from '../../stores/tokens.js';
import { findUser } from '../../stores/users.js';
import type { AuthRequest } from '../auth-request.js';
import { answerUri } from '../answer-uri.js';
import { type Pair, protocolParameters, readSent } from './protocol.js';
import type { LegLimits } from '../../limits/attempts.js';
import { explained } from '../../core/explanation.js';
import { explainSigningToken } from '../diagnosis/explain-token.js';
import { codedRefusal, OAuth1Refused } from './refusal.js';
import type { OAuth1Verifier } from './verify.js';
import type { AccountDeps } from '../../services/accounts/account-deps.js';

/** docs/api/authentication.md#three-legged-flow. */
const REQUEST_TOKEN_LIFETIME_SECONDS = 600;

/** The callback of apps without redirects: the user copies a PIN. */
const OUT_OF_BAND = 'oob';

/** The maximum number of attempts, out of ten million PINs. */
const MAX_FAILURES = 5;

/** A request token and its app, before the user's decision. */
export interface PendingConsent {
  readonly app: App;
  readonly token: string;
  readonly permission: Permission;
  /** A registered URI; undefined for an app that uses a PIN. */
  readonly callback: string | undefined;
}

/** How the app receives the approval: by a redirect, or by a PIN that the user copies. */
export type ApprovalResult = { readonly location: string } | { readonly pin: string };

interface ThreeLegsDeps extends Pick<AccountDeps, 'engine' | 'clock' | 'tokens'> {
  readonly vault: Vault;
  readonly verifier: OAuth1Verifier;
  readonly limits: LegLimits;
  /** Whether leg 3 must be signed with both secrets. */
  readonly isStrict: boolean;
}

export type ThreeLegs = ReturnType<typeof createThreeLegs>;

/**
 * Creates the three legs of OAuth 1.0a without their pages (RFC 5849 section 2,
 * docs/api/authentication.md#three-legged-flow).
 */
export function createThreeLegs(deps: ThreeLegsDeps) {
  const { engine } = deps;
  return {
    /**
     * Leg 1: issues a request token to a client at `address`. Without a callback the user copies a PIN. Throws
     * `unauthorized` for invalid credentials, CodedRefusal for an unregistered callback, `rate-limited` after too many
     * attempts.
     */
    request: (request: AuthRequest, address: string) => issueRequestToken(deps, request, address),
    /** Returns the pending consent; undefined for a token that is unknown, expired or decided. */
    find: (token: string) => findPending(deps, token),
    /**
     * Records the user's consent (leg 2). Returns undefined if the token was decided meanwhile. Throws PipitError
     * `forbidden` if the user was suspended or deleted meanwhile.
     */
    approve: (consent: PendingConsent, userId: UserId) =>
      engine.tx('consent to request token', (tx) => approve(tx, consent, userId)),
    /**
     * Approves without a prompt (leg 2) for a user who granted this app the same permission before and has not revoked
     * it; otherwise returns `not-granted`. See `approve`.
     */
    approveAgain: (consent: PendingConsent, userId: UserId) =>
      // Looked up in the same transaction, so that a concurrent revocation counts.
      engine.tx('consent to request token', async (tx) =>
        (await isGranted(tx, consent, userId)) ? approve(tx, consent, userId) : ('not-granted' as const),
      ),
    /** Records that the user declined. Returns where to redirect the browser, if anywhere. */
    deny: async ({ token, callback }: PendingConsent) => {
      await engine.tx('deny request token', (tx) => deleteRequestToken(tx, token));
      return callback === undefined ? undefined : answerUri(callback, { denied: token });
    },
    /**
     * Exchanges a verifier for an access token (leg 3), for a client at `address`. The verifier is the proof: it is
     * bound to its request token, works once within minutes and only for a few attempts. So no signature is needed,
     * unless the server is strict. Throws `unauthorized` for invalid credentials, a wrong verifier or a redeemed token,
     * `rate-limited` after too many attempts.
     */
    exchange: (request: AuthRequest, address: string) => exchange(deps, request, address),
  };
}

async function issueRequestToken(deps: ThreeLegsDeps, request: AuthRequest, address: string) {
  const { verifier, engine, vault, clock, limits } = deps;
  limits.countRequest(address);
  const protocol = verifier.read(request);
  const { app, consumerSecret } = await requireConsumer(deps, protocol.consumerKey);
  verifier.verify(request, protocol, { consumerSecret, tokenSecret: '' });
  // Counted for the app only after it signed, so that others cannot exhaust its limit.
  limits.countIssued(app.id);
  const callback = valueOf(protocol.sent, 'oauth_callback') || OUT_OF_BAND;
  if (callback !== OUT_OF_BAND && !app.redirectUris.includes(callback)) throw codedRefusal.callback();
  const permission = wantedPermission(app, valueOf(protocol.sent, 'x_auth_access_type'));
  const token = generate.requestToken();
  const secret = generate.oauth1Secret();
  const createdAtMs = clock();
  await engine.tx('issue request token', (tx) =>
    insertRequestToken(tx, {
      token,
      appId: app.id,
      secretSealed: vault.seal(secret, sealOwner.requestToken(token)),
      callback,
      permission,
      createdAtMs,
      expiresAtMs: createdAtMs + REQUEST_TOKEN_LIFETIME_SECONDS * 1000,
      failures: 0,
    }),
  );
  return { token, secret };
}

async function requireConsumer({ engine, vault, clock }: ThreeLegsDeps, apiKey: string) {
  const app = await findAppByApiKey(engine, apiKey);
  const secrets = app && (await findAppSecrets(engine, app.id));
  if (!app || !secrets) {
    throw explained(new OAuth1Refused('consumer', 'the OAuth consumer key is unknown'), () =>
      explainSigningToken({ engine, clock }, { consumerKey: apiKey }),
    );
  }
  return { app, consumerSecret: vault.open(secrets.apiSecretSealed, sealOwner.app(app.id)) };
}

/** Returns a parameter from header, query or form. */
function valueOf(sent: readonly Pair[], name: string): string | undefined {
  return sent.find(([key]) => key === name)?.[1];
}

/** Returns the requested permission, which never exceeds the app's own. */
function wantedPermission({ permissions }: App, accessType: string | undefined): Permission {
  switch (accessType) {
    case undefined:
    case '':
      return permissions;
    case 'read':
      return 'read';
    case 'write':
      return narrowerPermission('read_write', permissions);
    default:
      throw codedRefusal.accessType();
  }
}

async function findPending(
  { engine, clock }: ThreeLegsDeps,
  token: string,
): Promise<PendingConsent | undefined> {
  const found = await findRequestToken(engine, token, clock());
  const app = found && (await findApp(engine, found.appId));
  if (!app || found.userId !== undefined) return undefined;
  const { permission, callback } = found;
  return { app, token, permission, callback: callback === OUT_OF_BAND ? undefined : callback };
}

async function isGranted(tx: Tx, { app, permission }: PendingConsent, userId: UserId): Promise<boolean> {
  const held = await listOAuth1Permissions(tx, app.id, userId);
  return held.some((each) => permits(each, permission));
}

async function approve(
  tx: Tx,
  { token, callback }: PendingConsent,
  userId: UserId,
): Promise<ApprovalResult | undefined> {
  await lockActiveAccount(tx, userId);
  const verifier = callback === undefined ? generate.pin() : generate.verifier();
  const isFirst = await consentToRequestToken(tx, token, { userId, verifierHash: hashToken(verifier) });
  if (!isFirst) return undefined;
  if (callback === undefined) return { pin: verifier };
  return { location: answerUri(callback, { oauth_token: token, oauth_verifier: verifier }) };
}

async function exchange(deps: ThreeLegsDeps, request: AuthRequest, address: string) {
  deps.limits.countExchange(address);
  const parameters = protocolParameters(readSent(request));
  const token = parameters.get('oauth_token') ?? '';
  const found = await findRequestToken(deps.engine, token, deps.clock());
  await requireSender(deps, request, found, parameters.get('oauth_consumer_key'));
  if (!found) throw unknownRequestToken();
  const given = parameters.get('oauth_verifier');
  if (!given) throw codedRefusal.missing('oauth_verifier');
  const issued = await deps.engine.tx('issue access token', (tx) => redeem(deps, tx, token, given.trim()));
  // An error thrown in the transaction would roll back the count of failures.
  if (!issued) throw new OAuth1Refused('verifier', 'the verifier is wrong, or the request token was used');
  return issued;
}

function unknownRequestToken(): OAuth1Refused {
  return new OAuth1Refused('token', 'the request token is unknown or expired', { reason: 'invalid-token' });
}

/** Refuses a request for another app than the token's and, on a strict server, one not signed with both secrets. */
async function requireSender(
  deps: ThreeLegsDeps,
  request: AuthRequest,
  found: RequestToken | undefined,
  consumerKey: string | undefined,
): Promise<void> {
  const { verifier, vault, isStrict } = deps;
  if (!isStrict && consumerKey === undefined) return;
  const protocol = isStrict ? verifier.read(request) : undefined;
  const { app, consumerSecret } = await requireConsumer(deps, consumerKey ?? '');
  if (found?.appId !== app.id) throw unknownRequestToken();
  if (!protocol) return;
  const tokenSecret = vault.open(found.secretSealed, sealOwner.requestToken(found.token));
  verifier.verify(request, protocol, { consumerSecret, tokenSecret });
}

async function redeem({ tokens, clock }: ThreeLegsDeps, tx: Tx, token: string, given: string) {
  const found = await findRequestToken(tx, token, clock());
  if (found?.userId === undefined) return undefined;
  if (!isVerifier(found, given)) {
    await countVerifierFailure(tx, token);
    if (found.failures + 1 >= MAX_FAILURES) await deleteRequestToken(tx, token);
    return undefined;
  }
  const { appId, userId, permission } = found;
  if (!(await deleteRequestToken(tx, token))) return undefined;
  const user = await findUser(tx, userId);
  if (!user || user.suspended) return undefined;
  const issued = await tokens.issueOAuth1({ appId, userId, atMost: permission }, tx);
  return { ...issued, userId, username: user.username };
}

function isVerifier({ verifierHash }: RequestToken, given: string): boolean {
  return verifierHash !== undefined && equalsInConstantTime(hashToken(given), verifierHash);
}
