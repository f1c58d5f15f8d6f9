import { expect } from 'vitest';
import { clients, getPost, missingOf, postAbout } from './clients.js';

/** An outage of a database, or of a part of it. */
export interface Outage {
  /** What the posts are about. */
  readonly topic: string;
  /** The number of answers to wait for before, during and after it. */
  readonly enough: number;
  /** Whether reads are refused too. */
  readonly refusesReads: boolean;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Posts and reads before, during and after an outage. Expects that refused requests get 503 with Retry-After, that
 * requests succeed again, and that no acknowledged post is lost. Returns how long they were refused after its end, in
 * milliseconds.
 */
export async function surviveOutage(url: string, outage: Outage): Promise<number> {
  const { topic, enough, refusesReads } = outage;
  const posting = clients(url, postAbout(topic));
  const reading = clients(url, getPost);
  const succeed = () => Promise.all([posting.hasMore(201, enough), reading.hasMore(200, enough)]);
  await succeed();
  await outage.begin();
  await Promise.all([posting.hasMore(503, enough), ...(refusesReads ? [reading.hasMore(503, enough)] : [])]);
  await outage.end();
  const endMs = performance.now();
  await succeed();
  const recoveryMs = performance.now() - endMs;
  await Promise.all([posting.stop(), reading.stop()]);

  const answers = [...posting.answers, ...reading.answers];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 503]));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.filter(({ retryAfter }) => !(Number(retryAfter) > 0))).toEqual([]);
  const created = posting.answers.filter(({ status }) => status === 201);
  const ids = created.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id);
  expect(await missingOf(url, ids)).toEqual([]);
  return recoveryMs;
}
