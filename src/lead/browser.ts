import { createHash, X509Certificate } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { createWorkingFolder } from '../database/working-folder.js';
import type { Lead } from './lead.js';

/** The names of Chromium and its relatives. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave',
];
const MAC_OS = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Where the browser starts: the home page of the server. */
const START_PAGE = 'https://x.com/';

/** A browser with its own profile. */
export interface LedBrowser extends AsyncDisposable {
  readonly command: [string, ...string[]];
}

/** Returns the command line of a led browser. Disposal deletes its profile. */
export async function openBrowser(
  program: string,
  lead: Pick<Lead, 'proxyUrl' | 'serverCertificate'>,
): Promise<LedBrowser> {
  const profile = await createWorkingFolder(join(tmpdir(), 'pipit-browser-'));
  return {
    command: [program, ...browserOptions(lead), `--user-data-dir=${profile.path}`, START_PAGE],
    [Symbol.asyncDispose]: () => profile.remove(),
  };
}

/**
 * Returns the options of Chromium that lead it: through the proxy, with trust in the one key that the proxy presents, and
 * without requests in the background.
 */
export function browserOptions({
  proxyUrl,
  serverCertificate,
}: Pick<Lead, 'proxyUrl' | 'serverCertificate'>): string[] {
  const key = new X509Certificate(serverCertificate).publicKey.export({ type: 'spki', format: 'der' });
  return [
    `--proxy-server=${proxyUrl}`,
    `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // Chromium refuses to run as root with its sandbox.
    ...(userInfo().uid === 0 ? ['--no-sandbox'] : []),
  ];
}

/** Returns the first browser in the path; undefined if there is none. */
export async function findBrowser(path = ''): Promise<string | undefined> {
  const candidates = NAMES.flatMap((name) => path.split(delimiter).map((folder) => join(folder, name)));
  for (const file of [...candidates, MAC_OS]) {
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
