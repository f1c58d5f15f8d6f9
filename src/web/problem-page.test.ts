import { describe, expect, it } from 'vitest';
import { problemOf } from '../http/problems.js';
import type { Failure } from '../core/errors.js';
import { problemPage } from './problem-page.js';

/** Renders the page of a failure. */
function pageOf(failure: Failure) {
  const answer = problemPage(problemOf(failure, 0));
  return { answer, text: String(answer.body) };
}

describe('the page of a problem', () => {
  it.each<[Failure, number, string]>([
    [{ code: 'internal' }, 500, 'Something is broken. The fault has been logged.'],
    [{ code: 'unavailable', retryAfterSeconds: 1 }, 503, 'Please wait a moment before you try again.'],
    [{ code: 'rate-limited', retryAtMs: 61_000 }, 429, 'Please wait 2 minutes before you try again.'],
    [{ code: 'forbidden', detail: 'Not <you>.' }, 403, 'Not &lt;you&gt;.'],
    [{ code: 'payload-too-large' }, 413, 'larger than this server accepts'],
  ])('has the status of %o and an instruction', (failure, status, words) => {
    const { answer, text } = pageOf(failure);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(text).toContain(words);
    expect(text).toContain('<title>Error: ');
    expect(text).toContain('href="/"');
  });

  it('keeps the headers of the problem', () => {
    expect(pageOf({ code: 'unavailable', retryAfterSeconds: 1 }).answer.headers['retry-after']).toBe('1');
    expect(pageOf({ code: 'method-not-allowed', allowed: ['GET'] }).answer.headers['allow']).toBe('GET');
  });

  it('lists several faults, with wire names as code', () => {
    const violations = ['The `a` is wrong', 'So is `b`'].map((message) => ({ parameters: {}, message }));
    const { text } = pageOf({ code: 'invalid-request', violations });
    expect(text).toContain('<li>The <code>a</code> is wrong</li>');
    expect(text).toContain('<li>So is <code>b</code></li>');
  });
});
