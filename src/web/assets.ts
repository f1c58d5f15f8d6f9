import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PipitError } from '../core/errors.js';
import { findOwnPackage } from '../core/package-folder.js';
import { Answer } from '../http/answer.js';
import { bestEncoding, encode, type Encoding } from '../http/content-encoding.js';
import type { PlainRequest, PlainRoute } from '../http/plain-route.js';
import { ICON_FILE, ICON_PATH } from './icons.js';
import { STYLE } from './style.js';

const STYLE_TYPE = 'text/css; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** A file that pages load. Its name changes with its contents, so browsers keep it for a year. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly contents: Buffer;
}

function assetOf(name: string, extension: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return { path: `/assets/${name}-${hash}.${extension}`, type, contents: Buffer.from(text) };
}

/** The script of the web client, which the build bundles from `src/web/client/`; absent in a tree that is not built. */
function readClient(): Asset | undefined {
  const { dirname: own } = import.meta;
  // Beside the bundled program; above the modules that tests load; built before, for a program that runs its sources.
  const folders = [own, join(own, '..', '..'), join(findOwnPackage()?.folder ?? own, 'dist')];
  const file = folders.map((folder) => join(folder, 'web-client.js')).find((each) => existsSync(each));
  return file === undefined ? undefined : assetOf('client', 'js', SCRIPT_TYPE, readFileSync(file, 'utf8'));
}

const style = assetOf('style', 'css', STYLE_TYPE, STYLE);
const client = readClient();

const siteIcon = assetOf(
  'pipit',
  'svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="#0b6e63"/></svg>',
);

/** The path of the icon of every page. */
export const SITE_ICON = siteIcon.path;

/** The path of the stylesheet of every page. */
export const STYLE_PATH = style.path;

/** The path of the script of the web client. */
export const CLIENT_SCRIPT = client?.path;

const ASSETS: readonly Asset[] = [
  style,
  ...(client ? [client] : []),
  { path: ICON_PATH, type: 'image/svg+xml', contents: Buffer.from(ICON_FILE) },
  siteIcon,
];

/** Returns the routes of the files that pages load. They need no database. */
export function assetRoutes(): PlainRoute[] {
  const byPath = new Map(
    ASSETS.map((asset) => [asset.path, { asset, encoded: new Map<Encoding, Buffer>() }]),
  );
  return [
    {
      method: 'GET',
      path: '/assets/{file}',
      skipsDatabase: true,
      handler: ({ path, headers }: PlainRequest) => {
        const found = byPath.get(`/assets/${path['file'] ?? ''}`);
        if (!found) throw new PipitError({ code: 'route-not-found' });
        const encoding = bestEncoding(headers['accept-encoding']);
        return new Answer(200, contentsOf(found, encoding), {
          'content-type': found.asset.type,
          ...(encoding !== undefined && { 'content-encoding': encoding }),
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
        });
      },
    },
  ];
}

/** Returns the contents in an encoding; each asset is compressed once. */
function contentsOf(
  { asset: { contents }, encoded }: { readonly asset: Asset; readonly encoded: Map<Encoding, Buffer> },
  encoding: Encoding | undefined,
): Buffer {
  if (encoding === undefined) return contents;
  const bytes = encoded.get(encoding) ?? encode(contents, encoding, 'once');
  encoded.set(encoding, bytes);
  return bytes;
}
