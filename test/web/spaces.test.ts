import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserId } from '../../src/core/ids.js';
import { suspendAccount } from '../../src/services/accounts/standing.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { POSTS } from '../support/world.js';
import { openBrowser, type Browser, type BrowserAnswer } from './support/browser.js';
import { expectValidPage, send, textOf } from './support/pages.js';
import { PASSWORDS, webWorld } from './support/web-world.js';

/** Spaces on pages without script: finding, reading, and what their creators do. */

const HOSTILE = '<b>x</b>"\u202e&';
const NOW = Date.parse('2026-11-25T12:00:00Z');

let app: TestApp;
let nowMs = NOW;
let alice: Browser;
let bob: Browser;
let visitor: Browser;

beforeAll(async () => {
  const world = webWorld();
  app = await startTestApp({
    clock: () => nowMs,
    flags: { baseUrl: 'http://birds.example.com' },
    world: {
      ...world,
      posts: [
        ...(world.posts ?? []),
        { id: '1600000000000000001', author: 'carol', text: 'Come: http://birds.example.com/i/spaces/live1' },
        {
          id: '1600000000000000002',
          author: 'carol',
          text: 'Not: http://elsewhere.example.com/i/spaces/live1',
        },
        { id: '1600000000000000003', author: 'carol', text: 'Gone: http://birds.example.com/i/spaces/hers1' },
      ],
      spaces: [
        {
          id: 'live1',
          creator: 'alice',
          title: 'All about #birds',
          state: 'live',
          started_at: '2026-11-25T11:00:00Z',
          participant_count: 1234,
          speakers: ['bob'],
          invited: ['carol'],
          topics: [{ id: '1', name: 'Ponds' }],
          posts: [POSTS.hello, POSTS.secret],
        },
        {
          id: 'tickets1',
          creator: 'alice',
          title: HOSTILE,
          state: 'scheduled',
          scheduled_start: '2026-11-26T18:30:00Z',
          is_ticketed: true,
          buyers: ['carol'],
        },
        { id: 'hers1', creator: 'dave', title: 'Quiet waters', state: 'live' },
        { id: 'gone1', creator: 'mallory', title: 'Never heard', state: 'live' },
      ],
    },
  });
  await suspendAccount(app.pipit.backend, 1005n as UserId, true);
  [alice, bob, visitor] = [openBrowser(app), openBrowser(app), openBrowser(app)];
  await alice.signIn('alice', PASSWORDS.alice);
  await bob.signIn('bob', PASSWORDS.bob);
});
afterAll(() => app.close());

const idOf = ({ location }: BrowserAnswer): string => /\/i\/spaces\/(\w+)/.exec(location ?? '')?.[1] ?? '';

async function create(browser: Browser, fields: Record<string, string>): Promise<string> {
  const answer = await send(browser, '/i/spaces/create', fields);
  expect(answer.status).toBe(303);
  return idOf(answer);
}

describe('finding', () => {
  test('live and scheduled Spaces are listed as the viewer may see them', async () => {
    const page = await visitor.get('/i/spaces');
    expectValidPage(page, 'Spaces');
    expect(textOf(page)).toMatch(/Live now.*All about #birds.*1,234.*participants.*Scheduled.*18:30 UTC/);
    expect(page.text).not.toMatch(/Quiet waters|Never heard|<b>x/);
    expect(textOf(await bob.get('/i/spaces'))).toContain('Quiet waters');
  });

  test('a search finds words of titles', async () => {
    expect(textOf(await visitor.get('/i/spaces?q=BIRDS'))).toContain('All about #birds');
    const none = await visitor.get(`/i/spaces?${new URLSearchParams({ q: `${HOSTILE} nowhere` })}`);
    expectValidPage(none, 'nothing found');
    expect(textOf(none)).toContain('No live or scheduled Space');
    expect((await visitor.get(`/i/spaces?q=${'x'.repeat(5000)}`)).status).toBe(200);
  });

  test('a post that links to a Space of this server shows its card', async () => {
    const { text } = await visitor.get('/carol');
    expect(text.match(/class="space-card/g)).toHaveLength(1);
    expect(text).toMatch(
      /post-1600000000000000001[^]*class="space-card space-live" href="\/i\/spaces\/live1"/,
    );
    const seen = await bob.get('/carol/status/1600000000000000003');
    expect(seen.text).toContain('Quiet waters');
  });
});

describe('reading', () => {
  test('a Space shows its people, times and shared posts', async () => {
    const page = await visitor.get('/i/spaces/live1');
    expectValidPage(page, 'a Space', 'public, no-cache');
    expect(textOf(page)).toMatch(
      /Live.*All about #birds.*Started.*11:00 UTC.*1,234.*Ponds.*Hosts.*@alice.*Speakers.*@bob.*Invited.*@carol/,
    );
    expect(page.text).toContain(`id="post-${POSTS.hello}"`);
    expect(page.text).not.toContain('Nobody but followers');
    expect((await bob.get('/i/spaces/live1')).text).toContain('Nobody but followers');
  });

  test('only the creator sees who bought tickets', async () => {
    const own = await alice.get('/i/spaces/tickets1');
    expectValidPage(own, 'an own Space');
    expect(textOf(own)).toMatch(/Tickets.*1.*sold.*Buyers of tickets.*@carol/);
    for (const reader of [bob, visitor]) {
      const text = textOf(await reader.get('/i/spaces/tickets1'));
      expect(text).toMatch(/Tickets\s+needed/);
      expect(text).not.toMatch(/Buyers|@carol|Your Space/);
    }
  });

  test('those of protected and suspended accounts are refused like their posts', async () => {
    expect((await visitor.get('/i/spaces/hers1')).status).toBe(403);
    expect((await bob.get('/i/spaces/hers1')).status).toBe(200);
    for (const id of ['gone1', 'nothing1', 'x'.repeat(14), '%3Cb%3E', 'a-b'])
      expect([id, (await bob.get(`/i/spaces/${id}`)).status]).toEqual([id, 404]);
  });
});

describe('the creator', () => {
  test('schedules, changes, starts and ends a Space', async () => {
    const id = await create(bob, { title: 'Tides', start: '2026-11-27T08:15' });
    const path = `/i/spaces/${id}`;
    expect(textOf(await visitor.get(path))).toMatch(/Scheduled.*Tides.*27 November 2026 ?, 08:15 UTC/);
    expect((await bob.get(path)).text).toContain('value="2026-11-27T08:15"');
    await send(bob, path, { title: 'High tides', start: '2026-11-28T09:00' }, `${path}/edit`);
    expect(textOf(await visitor.get(path))).toMatch(/High tides.*28 November 2026 ?, 09:00/);
    for (const act of ['start', 'end', 'cancel'])
      expect((await send(alice, path, {}, `${path}/${act}`)).status).toBe(403);
    expect((await send(alice, path, { title: 'Mine' }, `${path}/edit`)).status).toBe(404);
    nowMs += 60_000;
    expect((await send(bob, path, {}, `${path}/start`)).location).toBe(path);
    expect(textOf(await bob.get(path))).toMatch(/Live.*High tides.*End the Space/);
    await send(bob, path, {}, `${path}/end`);
    expect(textOf(await bob.get(path))).toMatch(/Ended.*High tides/);
    expect(textOf(await bob.get(path))).not.toContain('Your Space');
    expect((await send(bob, path, {}, `${path}/start`)).status).toBe(403);
  });

  test('goes live at once without a time, and cancels what is scheduled', async () => {
    const live = await create(bob, { title: 'Now', start: '' });
    expect(textOf(await bob.get(`/i/spaces/${live}`))).toContain('Live');
    const later = await create(bob, { title: 'Later', start: '2026-11-27T08:15' });
    await send(bob, '/i/spaces', {}, `/i/spaces/${later}/cancel`);
    expect(textOf(await bob.get(`/i/spaces/${later}`))).toContain('Cancelled');
  });

  test.each([
    [{ title: '', start: '' }, 'A title has 1 to 200 characters.'],
    [{ title: 'x'.repeat(201), start: '' }, 'A title has 1 to 200 characters.'],
    [{ title: 'Past', start: '2020-01-01T00:00' }, 'The start is in the future, at most 30 days ahead.'],
    [{ title: 'Far', start: '2027-06-01T00:00' }, 'The start is in the future, at most 30 days ahead.'],
    [{ title: 'Odd', start: 'tomorrow <b>' }, 'The start is in the future, at most 30 days ahead.'],
  ])('%j is refused beside its field', async (fields, fault) => {
    for (const [path, action] of [
      ['/i/spaces/create', '/i/spaces/create'],
      ['/i/spaces/tickets1', '/i/spaces/tickets1/edit'],
    ] as const) {
      const answer = await send(alice, path, fields, action);
      expect([action, answer.status]).toEqual([action, fields.title === '' || fault !== '' ? 400 : 303]);
      expectValidPage(answer, action);
      expect(textOf(answer)).toContain(fault);
    }
  });

  test('has at most ten open Spaces', async () => {
    for (let n = 0; n < 8; n += 1) await create(alice, { title: `Number ${n}` });
    const answer = await send(alice, '/i/spaces/create', { title: 'One more' });
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain('at most 10 live and scheduled Spaces');
  });
});
