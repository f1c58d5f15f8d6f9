import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { TestApp } from '../support/app.js';
import { openBrowser } from '../web/support/browser.js';
import { send as sendForm } from '../web/support/pages.js';
import { bearer, connectToEach, send, startCluster } from './support/cluster.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Returns what a browser needs of a server that listens. */
function remote(base: string): Pick<TestApp, 'request'> {
  return {
    request: async ({ method, url, headers = {}, payload }) => {
      const options = { method, headers: headers as Record<string, string>, redirect: 'manual' } as const;
      const answer = await fetch(base + url, {
        ...options,
        ...(payload !== undefined && { body: String(payload) }),
      });
      const cookies = answer.headers.getSetCookie();
      return {
        status: answer.status,
        headers: { ...Object.fromEntries(answer.headers), 'set-cookie': cookies },
        body: await answer.text(),
      };
    },
  };
}

test('each worker records the requests of an app and shows those of all workers', async () => {
  await using cluster = await startCluster(2);
  const { url, credentials } = cluster;
  const browser = openBrowser(remote(url) as TestApp);
  await browser.signIn(credentials.username, credentials.password);
  const page = `/my-apps/${credentials.app_id}/requests`;
  expect((await sendForm(browser, page, {}, `${page}/start`)).status).toBe(303);

  const workers = await connectToEach(url, 2);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  /** Loads a page from a worker until it shows what the other worker announced. */
  const until = async (agent: (typeof workers)[number], isShown: (page: string) => boolean) => {
    for (;;) {
      const { body } = await send(url + page, { cookie }, { agent });
      if (isShown(String(body))) return String(body);
      await pause(10);
    }
  };
  const links = (text: string) => text.match(/\/requests\/[0-9]+"/g) ?? [];
  for (const agent of workers) await until(agent, (text) => text.includes('Recorded until'));
  for (const agent of workers) await send(`${url}/2/users/me`, bearer(credentials.bearer_token), { agent });
  const shown = [];
  for (const agent of workers) shown.push(links(await until(agent, (text) => links(text).length === 2)));
  expect([...(shown[0] ?? [])].sort()).toEqual([...(shown[1] ?? [])].sort());
  for (const agent of workers) agent.destroy();
});
