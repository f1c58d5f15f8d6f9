import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_URL } from '../support/app.js';
import { USERS } from '../support/world.js';
import { DAY_MS, MINUTE_MS, shareComplianceServer } from './support/compliance.js';
import { chunk, idsFound, put, start } from './support/compliance-transfers.js';
import { refusal } from './support/errors.js';

/** The signed links of compliance jobs (docs/api/compliance.md). */

let shared: Awaited<ReturnType<typeof shareComplianceServer>>;
beforeAll(async () => {
  shared = await shareComplianceServer();
});
afterAll(() => shared.app.close());

const INVALID = refusal('The signature of this URL is not valid.');

const EXPIRED = refusal('This URL has expired.');

/** Returns the link with another job id, another expiry, and a changed, missing or repeated signature. */
function forgeries(url: string): string[] {
  const { origin, pathname, searchParams } = new URL(url);
  const [expires, signature] = [searchParams.get('expires') ?? '', searchParams.get('signature') ?? ''];
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  const of = (query: string, path = pathname) => `${origin}${path}?${query}`;
  return [
    of(''),
    of(`expires=${expires}`),
    of(`signature=${signature}`),
    of(`expires=${Number(expires) + 1}&signature=${signature}`),
    of(`expires=0${expires}&signature=${signature}`),
    of(`expires=&signature=${signature}`),
    of(`expires=${expires}&signature=`),
    of(`expires=${expires}&signature=${flipped}`),
    of(`expires=${expires}&signature=${signature}=`),
    of(`expires=${expires}&signature=${signature.slice(0, -1)}`),
    of(`expires=${expires}&signature=%ff%00${signature}`),
    of(
      `expires=${expires}&signature=${signature}`,
      pathname.replace(/\d+/, (id) => String(BigInt(id) + 1n)),
    ),
    of(
      `expires=${expires}&signature=${signature}`,
      pathname.replace(/\d+/, (id) => `0${id}`),
    ),
    of(`expires=${expires}&signature=${signature}&signature=${signature}`),
    of(`expires=${expires}&signature=${signature}&more=1`),
  ];
}

test('a modified link returns 403', async () => {
  const server = shared.open();
  const job = await server.create('tweets', { resumable: true });
  const session = await start(server, job);
  for (const url of forgeries(job.upload_url)) {
    expect(await put(server, url, '1'), url).toMatchObject({ status: 403, body: INVALID });
  }
  for (const url of forgeries(session)) {
    expect(await chunk(server, url, '*/*'), url).toMatchObject({ status: 403, body: INVALID });
  }
  for (const url of forgeries(job.download_url)) {
    expect(await server.send(url), url).toMatchObject({ status: 403, body: INVALID });
  }
  expect(await server.status(job)).toBe('created');
});

test('a signature is valid for one link only', async () => {
  const server = shared.open();
  const job = await server.create('tweets');
  const swap = (url: string, other: string) => `${url.split('?')[0]}?${other.split('?')[1]}`;
  const upload = await put(server, swap(job.upload_url, job.download_url), '1');
  const download = await server.send(swap(job.download_url, job.upload_url));
  expect([upload.status, download.status]).toEqual([403, 403]);
});

test('a link needs no credentials, and a bearer token does not replace its signature', async () => {
  const server = shared.open();
  const job = await server.create('tweets');
  const path = job.upload_url.slice(TEST_URL.length).replace(/\?.*/, '');
  expect((await server.app.put(path, server.app.bearer, {})).status).toBe(403);
  expect((await put(server, job.upload_url, '1')).status).toBe(200);
});

test('upload links expire after 15 minutes, download links after 7 days', async () => {
  const server = shared.open();
  const [open, shut] = [await server.create('tweets', { resumable: true }), await server.create('users')];
  const session = await start(server, open);
  server.advance(15 * MINUTE_MS - 1);
  await server.upload(shut, [USERS.dave]);
  server.advance(1);
  expect(await put(server, open.upload_url, '1')).toMatchObject({ status: 403, body: EXPIRED });
  expect(await chunk(server, session, '*/*')).toMatchObject({ status: 403, body: EXPIRED });
  expect(await idsFound(server, shut)).toEqual([USERS.dave]);
  server.advance(7 * DAY_MS - 15 * MINUTE_MS);
  expect(await server.send(shut.download_url)).toMatchObject({ status: 403, body: EXPIRED });
});

test('the links of a job do not change', async () => {
  const server = shared.open();
  const job = await server.create('tweets');
  server.advance(MINUTE_MS);
  const { id, upload_url, download_url } = job;
  expect((await server.get(`/2/compliance/jobs/${job.id}`)).body.data).toMatchObject({
    id,
    upload_url,
    download_url,
  });
});
