import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.js';
import { openBrowser, type Browser } from './browser.js';
import { PASSWORDS, webWorld } from './web-world.js';

/** What the tests of a file on OAuth share. */
export interface OAuthStage {
  readonly app: TestApp;
  /** Another one in each test, in which nobody is signed in. */
  readonly browser: Browser;
  /** The server's clock; tests set it. */
  nowMs: number;
  /** Signs alice in, in the test's browser; without a password, as hashing those takes time. */
  signIn(): void;
  /** What the interface answers to a bearer token. */
  statusOf(token: string): Promise<number>;
}

/** A server with the world of `webWorld` for all tests of the file that calls this. */
export function stageOAuth({ flags }: Pick<TestAppOptions, 'flags'> = {}): OAuthStage {
  let app: TestApp;
  let browser: Browser;
  let alicesCookies: ReadonlyMap<string, string>;
  const stage: OAuthStage = {
    get app() {
      return app;
    },
    get browser() {
      return browser;
    },
    nowMs: Date.UTC(2022, 9, 7),
    signIn: () => {
      for (const [name, value] of alicesCookies) browser.cookies.set(name, value);
    },
    statusOf: async (token) => (await app.get('/2/users/me', token)).status,
  };
  beforeAll(async () => {
    app = await startTestApp({ world: webWorld(), clock: () => stage.nowMs, flags });
    const first = openBrowser(app);
    await first.signIn('alice', PASSWORDS.alice);
    alicesCookies = first.cookies;
  });
  afterAll(() => app.close());
  beforeEach(() => {
    browser = openBrowser(app);
  });
  return stage;
}

/** What the token endpoint answers for a code, or a token, that is no good. */
export const INVALID_CODE = {
  error: 'invalid_request',
  error_description: 'Value passed for the authorization code was invalid.',
} as const;
export const INVALID_TOKEN = {
  error: 'invalid_request',
  error_description: 'Value passed for the token was invalid.',
} as const;
