import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.js';
import { openBrowser, type Browser } from './browser.js';
import { PASSWORDS, webWorld } from './web-world.js';

/** Shared state of the tests of one OAuth file. */
export interface OAuthFixture {
  readonly app: TestApp;
  /** A new browser per test, without a session. */
  readonly browser: Browser;
  /** The server’s clock, set by tests. */
  nowMs: number;
  /** Signs alice in without a password, since hashing is slow. */
  signIn(): void;
  /** Returns the status of a request with a bearer token. */
  statusOf(token: string): Promise<number>;
}

/** Starts one server with the world of `webWorld` for all tests of the calling file. */
export function useOAuthFixture({ flags }: Pick<TestAppOptions, 'flags'> = {}): OAuthFixture {
  let app: TestApp;
  let browser: Browser;
  let aliceCookies: ReadonlyMap<string, string>;
  const fixture: OAuthFixture = {
    get app() {
      return app;
    },
    get browser() {
      return browser;
    },
    nowMs: Date.UTC(2022, 9, 7),
    signIn: () => {
      for (const [name, value] of aliceCookies) browser.cookies.set(name, value);
    },
    statusOf: async (token) => (await app.get('/2/users/me', token)).status,
  };
  beforeAll(async () => {
    app = await startTestApp({ world: webWorld(), clock: () => fixture.nowMs, flags });
    const first = openBrowser(app);
    await first.signIn('alice', PASSWORDS.alice);
    aliceCookies = first.cookies;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    browser = openBrowser(app);
  });
  return fixture;
}

/** The response of the token endpoint to an invalid code, or token. */
export const INVALID_CODE = {
  error: 'invalid_request',
  error_description: 'Value passed for the authorization code was invalid.',
} as const;
export const INVALID_TOKEN = {
  error: 'invalid_request',
  error_description: 'Value passed for the token was invalid.',
} as const;
