import { startTestApp, type TestApp } from '../../support/app.js';
import { openBrowser } from './browser.js';
import { CALLBACK, PASSWORDS, webWorld } from './web-world.js';

/** A listening server, with alice signed in in a browser without script that grants what clients request. */
export interface ConsentServer extends AsyncDisposable {
  readonly app: TestApp;
  readonly url: string;
  readonly port: number;
  /** Grants the request at this address; returns the redirect target or the PIN. */
  allowAt(address: string): Promise<string>;
}

/** Starts the server; every app of its world can redirect to CALLBACK. */
export async function startConsentServer(): Promise<ConsentServer> {
  const world = webWorld();
  const apps = (world['apps'] ?? []).map((entry) => ({ ...(entry as object), redirect_uris: [CALLBACK] }));
  const app = await startTestApp({ world: { ...world, apps } });
  const url = await app.listen();
  const browser = openBrowser(app);
  await browser.signIn('alice', PASSWORDS.alice);
  return {
    app,
    url,
    port: Number(new URL(url).port),
    allowAt: async (address) => {
      const { pathname, search } = new URL(address);
      const page = await browser.get(pathname + search);
      const answer = page.location === undefined ? await browser.submit(page, {}, 'approve') : page;
      return answer.location ?? />(\d{7})</.exec(answer.text)?.[1] ?? '';
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}
