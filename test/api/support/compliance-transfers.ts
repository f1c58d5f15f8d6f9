import { expect } from 'vitest';
import type { TestAnswer } from '../../support/app.js';
import type { Desk, WireJob } from './compliance.js';

/** Requests to the links of compliance jobs. */

export const TEXT = { 'content-type': 'text/plain' };

/** An upload in one piece unless the headers say otherwise. */
export function put(desk: Desk, url: string, payload: string, headers: Record<string, string> = TEXT) {
  return desk.send(url, { method: 'PUT', headers, payload });
}

/** Begins a resumable upload; resolves to the link of its session. */
export async function start(desk: Desk, job: WireJob): Promise<string> {
  const headers = { 'x-goog-resumable': 'start', 'content-length': '0' };
  const answer = await desk.send(job.upload_url, { method: 'POST', headers });
  expect(answer.status).toBe(201);
  return String(answer.headers.location);
}

/** A request of a resumable upload with this Content-Range. */
export function chunk(desk: Desk, session: string, range: string, payload = ''): Promise<TestAnswer> {
  return put(desk, session, payload, { 'content-range': `bytes ${range}` });
}

/** Lets the job be done; resolves to the ids that its results have. */
export async function idsFound(desk: Desk, job: WireJob): Promise<string[]> {
  await desk.runJobs();
  return (await desk.results(job)).map(({ id = '' }) => id);
}
