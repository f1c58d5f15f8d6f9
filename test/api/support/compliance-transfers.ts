import { expect } from 'vitest';
import type { TestAnswer } from '../../support/app.js';
import type { ComplianceServer, WireJob } from './compliance.js';

/** Requests to the signed links of compliance jobs. */

export const TEXT = { 'content-type': 'text/plain' };

/** Uploads a file in one request unless the headers say otherwise. */
export function put(
  server: ComplianceServer,
  url: string,
  payload: string,
  headers: Record<string, string> = TEXT,
) {
  return server.send(url, { method: 'PUT', headers, payload });
}

/** Starts a resumable upload and returns the URL of its session. */
export async function start(server: ComplianceServer, job: WireJob): Promise<string> {
  const headers = { 'x-goog-resumable': 'start', 'content-length': '0' };
  const answer = await server.send(job.upload_url, { method: 'POST', headers });
  expect(answer.status).toBe(201);
  return String(answer.headers.location);
}

/** Sends a request of a resumable upload with the given Content-Range. */
export function chunk(
  server: ComplianceServer,
  session: string,
  range: string,
  payload = '',
): Promise<TestAnswer> {
  return put(server, session, payload, { 'content-range': `bytes ${range}` });
}

/** Runs the job and returns the ids in its results. */
export async function idsFound(server: ComplianceServer, job: WireJob): Promise<string[]> {
  await server.runJobs();
  return (await server.results(job)).map(({ id = '' }) => id);
}
