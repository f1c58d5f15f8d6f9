import { parseId, type PostId } from '../ids.js';

const ORIGINAL_HOSTS: readonly string[] = ['twitter.com', 'x.com'];
const STATUS_URL =
  /^(?:https?:\/\/)?(?:(?:www|mobile)\.)?([^/?#]+)\/(?:[a-zA-Z0-9_]{1,20}|i\/web)\/status(?:es)?\/([0-9]{1,19})(?:[/?#]|$)/i;

/**
 * Returns the id of the post that a link points to: `https://(twitter|x).com/<user>/status/<id>`, also under
 * `www.` and `mobile.`, with a longer path, query or fragment, or without a scheme. `ownHosts` are further hosts,
 * with their port unless it is the default. Returns undefined for any other link.
 */
export function postIdOfStatusUrl(url: string, ownHosts: readonly string[] = []): PostId | undefined {
  const [, host, id] = STATUS_URL.exec(url) ?? [];
  if (host === undefined || id === undefined) return undefined;
  const known = [...ORIGINAL_HOSTS, ...ownHosts].some((own) => withoutPrefix(own) === host.toLowerCase());
  return known ? parseId<PostId>(id) : undefined;
}

function withoutPrefix(host: string): string {
  return host.toLowerCase().replace(/^(?:www|mobile)\./, '');
}
