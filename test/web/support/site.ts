import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from '../../../src/http/router.js';
import type { PlainRoute } from '../../../src/http/plain-route.js';
import type { UserId } from '../../../src/core/ids.js';
import { worldDeps } from '../../../src/server/backend.js';
import { insertOperator } from '../../../src/stores/operators.js';
import { loadWorld } from '../../../src/world/load-world.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { openBrowser, type Browser, type BrowserAnswer } from './browser.js';
import { linksOf, send } from './pages.js';

/** A user of the demo world with a protected account and an app. */
const OPERATOR = { id: '17', username: 'anna', password: 'demo-password' } as const;

/** The events of signed-in pages, which have no end. */
const STREAM = '/i/live';

/** The kinds of people who see pages. */
const ROLES = ['operator', 'newcomer', 'visitor'] as const;
export type Role = (typeof ROLES)[number];

/** Where each role starts, and whether it follows links. The others see pages that are empty, refused or missing. */
const STARTS: Readonly<Record<Role, { readonly paths: readonly string[]; readonly followsLinks: boolean }>> =
  {
    operator: { paths: ['/home', '/maya', '/search?q=ferry'], followsLinks: true },
    newcomer: {
      paths: [
        '/home',
        '/newcomer',
        '/search?q=nowhere',
        '/notifications',
        '/messages',
        '/my-apps',
        '/operator-desk',
      ],
      followsLinks: false,
    },
    visitor: {
      paths: [
        '/',
        '/maya',
        '/anna',
        '/no-such-page',
        '/docs',
        '/docs/not-implemented',
        '/search?q=ferry',
        '/sign-in',
      ],
      followsLinks: false,
    },
  };

/** A page, and the browser in which it was opened. */
export interface SitePage {
  readonly role: Role;
  readonly path: string;
  readonly answer: BrowserAnswer;
}

/** The demo world with people of every kind, for tests that look at every page. */
export interface Site extends AsyncDisposable {
  readonly app: TestApp;
  readonly browsers: Readonly<Record<Role, Browser>>;
  /** The HTML pages that links and the table of routes lead each role to, one of each route. */
  readonly pages: readonly SitePage[];
}

export async function openSite(): Promise<Site> {
  const app = await startTestApp({ world: null, flags: { signUp: 'open' } });
  const { backend, writer, media } = app.pipit;
  await loadWorld(worldDeps(backend, writer, media.blobs), demoWorld());
  await backend.engine.tx('make operator', (tx) => insertOperator(tx, BigInt(OPERATOR.id) as UserId, 0));
  const browsers = { operator: openBrowser(app), newcomer: openBrowser(app), visitor: openBrowser(app) };
  await browsers.operator.signIn(OPERATOR.username, OPERATOR.password);
  await send(browsers.operator, '/operator-desk/invitations', { note: 'Dora' });
  await browsers.newcomer.submit(await browsers.newcomer.get('/sign-up'), {
    username: 'newcomer',
    password: 'a long new password',
  });
  const pages: SitePage[] = [];
  for (const role of ROLES) pages.push(...(await walk(app, browsers[role], role)));
  return { app, browsers, pages, [Symbol.asyncDispose]: () => app.close() };
}

function demoWorld(): Record<string, unknown[]> {
  const file = join(import.meta.dirname, '..', '..', '..', 'examples', 'demo.json');
  const world = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown[]>;
  return {
    ...world,
    follows: [...(world['follows'] ?? []), { from: 'tide_bot', to: OPERATOR.username, pending: true }],
  };
}

async function walk({ pipit }: TestApp, browser: Browser, role: Role): Promise<SitePage[]> {
  const routes = (pipit.app.routes as readonly Partial<PlainRoute>[]).filter(
    ({ method, path, showProblem }) => method === 'GET' && showProblem !== undefined && path !== STREAM,
  );
  const router = new Router<string>();
  for (const { path = '' } of routes) router.add('GET', path, path);
  const { paths, followsLinks } = STARTS[role];
  const fixed = routes.map(({ path = '' }) => path).filter((path) => !path.includes('{'));
  const open = [...paths, ...(followsLinks ? fixed : [])];
  const seen = new Set<string>();
  const found: SitePage[] = [];
  for (const path of open) {
    const [bare = ''] = path.split(/[?#]/);
    const pattern = paths.includes(path) ? path : (router.find('GET', bare)?.target ?? bare);
    if (seen.has(pattern)) continue;
    seen.add(pattern);
    const answer = await browser.get(path, { accept: 'text/html' });
    if (answer.headers['content-type']?.startsWith('text/html') !== true) continue;
    found.push({ role, path, answer });
    if (followsLinks) open.push(...linksOf(answer));
  }
  return found;
}
