import { initialsOf } from '../../core/default-picture.js';
import { PipitError } from '../../core/errors.js';
import { html } from '../../api/reference/html.js';
import { Answer } from '../../http/answer.js';
import type { PlainRoute } from '../../http/plain-route.js';
import { LOGO_PATH, type InstanceFacts, type InstanceService } from '../../services/instance/instance.js';
import { iconPath, MANIFEST_PATH } from '../site-icons.js';
import { OFFLINE_PATH, serviceWorkerRoute } from '../service-worker.js';
import { MANIFEST_COLOURS } from '../tokens.js';
import type { CreateRoutes } from '../web-context.js';

/** What lets a browser install the site as an app: its manifest, its logo, and the page without a connection. */
export const installRoutes: CreateRoutes = (pages, { instance }) => [
  manifestRoute(instance),
  logoRoute(instance),
  serviceWorkerRoute,
  pages.show(OFFLINE_PATH, (visit) =>
    visit.show(
      { title: 'You are offline' },
      html`<h1>You are offline</h1>
        <div class="card">
          <p>
            This page cannot be loaded, because there is no connection to the server. What you write is kept
            in this browser until it is sent.
          </p>
          <div class="actions">
            <a class="button" href="">Try again</a>
            <a class="button plain" href="/home">Home as last read</a>
          </div>
        </div>`,
    ),
  ),
];

/** See w3.org/TR/appmanifest. */
function manifestRoute(instance: InstanceService): PlainRoute {
  return {
    method: 'GET',
    path: MANIFEST_PATH,
    handler: async () => {
      const facts = await instance.describe();
      const manifest = {
        id: '/',
        name: facts.name,
        short_name: facts.name,
        ...(facts.description !== '' && { description: facts.description }),
        start_url: '/home',
        scope: '/',
        display: 'standalone',
        ...MANIFEST_COLOURS,
        icons: iconsOf(facts),
      };
      return new Answer(200, Buffer.from(JSON.stringify(manifest)), {
        'content-type': 'application/manifest+json; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
    },
  };
}

function iconsOf({ name, logoSide }: InstanceFacts): readonly object[] {
  if (logoSide !== undefined) return [{ src: LOGO_PATH, sizes: `${logoSide}x${logoSide}`, purpose: 'any' }];
  const initials = initialsOf({ name, username: name });
  return [192, 512].flatMap((side) =>
    ['any', 'maskable'].map((purpose) => ({
      src: iconPath(initials, side),
      sizes: `${side}x${side}`,
      type: 'image/png',
      purpose,
    })),
  );
}

function logoRoute(instance: InstanceService): PlainRoute {
  return {
    method: 'GET',
    path: LOGO_PATH,
    handler: async ({ headers }) => {
      const logo = await instance.logo();
      if (!logo) throw new PipitError({ code: 'route-not-found' });
      const etag = `"${logo.tag}"`;
      const sent = {
        etag,
        'cache-control': 'public, no-cache',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      };
      if (headers['if-none-match'] === etag) return new Answer(304, Buffer.alloc(0), sent);
      return new Answer(200, logo.bytes, { ...sent, 'content-type': logo.type });
    },
  };
}
