import { startTestApp, type TestApp } from '../../support/app.js';
import { openBrowser } from './browser.js';
import { CALLBACK, PASSWORDS, webWorld } from './web-world.js';

/** A server that listens, and alice signed in at a browser without script, who allows what clients ask for. */
export interface ConsentDesk extends AsyncDisposable {
  readonly app: TestApp;
  readonly url: string;
  readonly port: number;
  /** Allows what a client asks for at this address; where the browser is sent then, or the PIN that it is shown. */
  allowAt(address: string): Promise<string>;
}

/** Every app of its world may send browsers back to CALLBACK. */
export async function openConsentDesk(): Promise<ConsentDesk> {
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
