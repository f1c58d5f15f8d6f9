import { Answer } from '../../http/answer.js';

/**
 * The script of the inspector. It loads the list again when the server announces a request. It renders nothing itself, so
 * that texts of clients pass through one place only, the server's.
 */
const SCRIPT = `'use strict';
const list = document.querySelector('[data-events]');
const state = document.querySelector('[data-state]');

async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const next = page.querySelector('[data-events]');
  if (!answer.ok || !next) return;
  const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  list.replaceChildren(...next.childNodes);
  if (focused !== null) list.querySelector('a[href="' + CSS.escape(focused) + '"]')?.focus();
}

function follow() {
  let waiting;
  const source = new EventSource(list.dataset.events);
  source.onopen = () => { state.textContent = 'Live: new requests appear by themselves.'; };
  source.onerror = () => { state.textContent = 'Not connected. Trying again …'; };
  source.onmessage = () => {
    waiting ??= setTimeout(() => {
      waiting = undefined;
      refresh().catch(() => { state.textContent = 'Not connected. Reload the page.'; });
    }, 200);
  };
  addEventListener('pagehide', () => source.close());
}

if (list && state) follow();
`;

/** Returns the script file of the inspector. */
export function liveScript(): Answer {
  return new Answer(200, Buffer.from(SCRIPT), {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
  });
}
