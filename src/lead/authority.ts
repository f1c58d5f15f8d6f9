import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../core/clock.js';
import { orMissing, replacePrivateFile } from '../database/private-file.js';
import type { KeyedCertificate } from './certificates.js';
import { ORIGINAL_HOSTS } from '../core/original-hosts.js';

/** The authority's certificate, for programs that must trust it by hand. */
const AUTHORITY_FILE = 'authority.pem';

/** The domains of the led hosts; the authority is limited to them. */
const DOMAINS = ['twitter.com', 'x.com'];

const DAY_MS = 86_400_000;

/** Apple's systems refuse longer certificates, also of authorities that a user has added. */
const LIFETIME_MS = 820 * DAY_MS;

/** An authority that ends within this time is replaced at the next start. */
const RENEWAL_MS = 30 * DAY_MS;

/** Certificates begin earlier, for programs whose clock is behind. */
const BEHIND_MS = 365 * DAY_MS;

/** What the proxy presents to programs. */
export interface Authority {
  /** The authority's certificate in PEM. */
  readonly certificate: string;
  /** The file of this certificate. */
  readonly file: string;
  /** The certificate for the led hosts, with its key. */
  readonly server: KeyedCertificate;
}

/**
 * Reads the authority from a folder, or creates it there if it is missing, unreadable or ends soon. Every file has
 * mode 0600, and a `.gitignore` keeps the folder out of repositories.
 */
export async function openAuthority(folder: string, clock: Clock): Promise<Authority> {
  const file = join(folder, AUTHORITY_FILE);
  const kept = await readAuthority(folder, clock());
  if (kept) return { ...kept, file };
  const { createCertificates } = await import('./certificates.js');
  const now = clock();
  const { authority, server } = await createCertificates(DOMAINS, ORIGINAL_HOSTS, {
    notBefore: new Date(now - BEHIND_MS),
    notAfter: new Date(now + LIFETIME_MS - BEHIND_MS),
  });
  const files = {
    '.gitignore': '*\n',
    'authority-key.pem': authority.key,
    'server.pem': server.certificate,
    'server-key.pem': server.key,
    // Last: without it, the others are replaced.
    [AUTHORITY_FILE]: authority.certificate,
  };
  for (const [name, content] of Object.entries(files)) await replacePrivateFile(join(folder, name), content);
  return { certificate: authority.certificate, file, server };
}

async function readAuthority(folder: string, nowMs: number): Promise<Omit<Authority, 'file'> | undefined> {
  const read = (name: string) => orMissing(readFile(join(folder, name), 'utf8'));
  const [certificate, server, key] = await Promise.all(
    [AUTHORITY_FILE, 'server.pem', 'server-key.pem'].map(read),
  );
  if (certificate === undefined || server === undefined || key === undefined) return undefined;
  return isUsable(certificate, { certificate: server, key }, nowMs)
    ? { certificate, server: { certificate: server, key } }
    : undefined;
}

/** Reports whether the certificates belong together, cover every host and are valid for a while. */
function isUsable(authorityPem: string, { certificate, key }: KeyedCertificate, nowMs: number): boolean {
  try {
    const authority = new X509Certificate(authorityPem);
    const server = new X509Certificate(certificate);
    return (
      server.verify(authority.publicKey) &&
      server.checkPrivateKey(createPrivateKey(key)) &&
      ORIGINAL_HOSTS.every((host) => server.checkHost(host) !== undefined) &&
      [authority, server].every(({ validTo }) => Date.parse(validTo) > nowMs + RENEWAL_MS)
    );
  } catch {
    return false;
  }
}
