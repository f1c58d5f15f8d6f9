import { createHash } from 'node:crypto';
import { Answer } from '../http/answer.js';
import type { PlainRoute } from '../http/plain-route.js';
import { CLIENT_SCRIPT, SITE_ICON, STYLE_PATH } from './assets.js';
import { ICON_PATH } from './icons.js';
import { ACCOUNT_PATH, SWITCH_PATH } from './navigation.js';

/** The page that browsers show without a connection. It is the same for everyone. */
export const OFFLINE_PATH = '/i/offline';

const SHELL = [
  OFFLINE_PATH,
  STYLE_PATH,
  ICON_PATH,
  SITE_ICON,
  ...(CLIENT_SCRIPT === undefined ? [] : [CLIENT_SCRIPT]),
];

/** Requests after which another account, or none, may be in front of the browser. */
const LEAVING = ['/sign-out', '/sign-in', '/sign-up', SWITCH_PATH, ACCOUNT_PATH];

/**
 * The service worker. Without a connection it shows the home page as it was last read, or the offline page. It keeps
 * nothing else that is private, keeps it without the tokens of its forms, and forgets it when an account signs in or out
 * or changes, and when the server says that nobody is signed in.
 */
const SCRIPT = `'use strict';
const SHELL = ${JSON.stringify(SHELL)};
const LEAVING = ${JSON.stringify(LEAVING)};
const SHELL_CACHE = 'shell ' + SHELL.join(' ');
const HOME_CACHE = 'home';
const HOME = '/home';

async function keepShell() {
  const cache = await caches.open(SHELL_CACHE);
  await cache.addAll(SHELL.map((path) => new Request(path, { credentials: 'omit' })));
  await skipWaiting();
}

async function forgetOldShells() {
  for (const name of await caches.keys()) if (name !== SHELL_CACHE && name !== HOME_CACHE) await caches.delete(name);
  await clients.claim();
}

async function keepHome(answer) {
  const now = new Date();
  const time = '<time datetime="' + now.toISOString() + '">' + now.toISOString().slice(0, 16).replace('T', ' ') + ' UTC</time>';
  const notice = '<p class="note" role="status">You are offline. This is the page as of ' + time + '.</p>';
  const text = (await answer.text())
    .replace(/(name="csrf" value=")[^"]*/g, '$1')
    .replace(/<main[^>]*>/, (tag) => tag + notice);
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  for (const name of ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy'])
    if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
  const cache = await caches.open(HOME_CACHE);
  await cache.put(HOME, new Response(text, { headers }));
}

const forgetHome = () => caches.delete(HOME_CACHE);

async function show(request, path) {
  try {
    const answer = await fetch(request);
    if (path === HOME) await (answer.ok && answer.type === 'basic' ? keepHome(answer.clone()) : forgetHome());
    return answer;
  } catch {
    const kept = path === HOME ? await caches.match(HOME, { cacheName: HOME_CACHE }) : undefined;
    return kept ?? (await caches.match('${OFFLINE_PATH}')) ?? Response.error();
  }
}

addEventListener('install', (event) => event.waitUntil(keepShell()));
addEventListener('activate', (event) => event.waitUntil(forgetOldShells()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === 'POST' && LEAVING.some((path) => pathname === path || pathname.startsWith(path + '/'))) {
    event.waitUntil(forgetHome());
  } else if (request.method === 'GET' && request.mode === 'navigate') {
    event.respondWith(show(request, pathname));
  } else if (request.method === 'GET' && SHELL.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  }
});
`;

/** The route of the service worker, at the root because it serves all pages. Its contents change with the assets. */
export const serviceWorkerRoute: PlainRoute = {
  method: 'GET',
  path: '/service-worker.js',
  skipsDatabase: true,
  handler: ({ headers }) => {
    const sent = {
      etag: ETAG,
      'cache-control': 'no-cache',
      'content-security-policy': `default-src 'none'; connect-src 'self'`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    };
    if (headers['if-none-match'] === ETAG) return new Answer(304, Buffer.alloc(0), sent);
    return new Answer(200, BODY, { ...sent, 'content-type': 'text/javascript; charset=utf-8' });
  },
};

const BODY = Buffer.from(SCRIPT);
const ETAG = `W/"${createHash('sha256').update(BODY).digest('base64url').slice(0, 22)}"`;
