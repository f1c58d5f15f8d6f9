import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TerminalScreen } from '../../src/commands/terminal-screen.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';

/** A terminal of 80 by 24 that keeps what is drawn. */
function createScreen() {
  const frames: (readonly string[])[] = [];
  let press = (_key: string): void => undefined;
  let isClosed = false;
  const screen: TerminalScreen = {
    size: () => ({ columns: 80, rows: 24 }),
    draw: (lines) => void frames.push(lines),
    onKey: (listener) => (press = listener),
    close: () => (isClosed = true),
  };
  return {
    screen,
    press: (key: string) => press(key),
    isClosed: () => isClosed,
    /** Resolves to a frame that matches, of those to come and those drawn. */
    frameWith: async (pattern: RegExp): Promise<readonly string[]> => {
      for (;;) {
        const found = frames.find((lines) => pattern.test(lines.join('\n')));
        if (found) return found;
        await pause(20);
      }
    },
  };
}

describe('a running server', () => {
  let app: TestApp;
  let url: string;
  beforeAll(async () => {
    app = await startTestApp({ flags: { metrics: 'public' } });
    url = await app.listen();
  });
  afterAll(() => app.close());

  test('is shown as a table, as JSON and on a terminal that keys control', async () => {
    const screen = createScreen();
    const [once_, json, watched] = [
      runCli(['top', url, '--once']),
      runCli(['top', `${url}/metrics`, '--json', '--sort', 'name']),
      runCli(['top', url], { openScreen: () => screen.screen }),
    ];
    await screen.frameWith(/measuring/);
    for (let count = 0; count < 20; count += 1) await (await fetch(`${url}/2/users/me`)).text();

    const table = await once_;
    expect(table.status).toBe(0);
    expect(table.stdout).toMatch(/^pipit \S+ {2}up \d+ (?:s|min) {2}[1-9]/);
    expect(table.stdout).toMatch(/\nfindMyUser +[\d.]+ +[\d.]+ ms +[\d.]+ ms +[1-9][\d.]* +0\n?/);

    const figures = JSON.parse((await json).stdout);
    expect(figures.requests.refusal_rate).toBeGreaterThan(1);
    expect(figures.workers).toEqual([expect.objectContaining({ worker: '0', cpu: expect.any(Number) })]);
    expect(figures.operations).toContainEqual(
      expect.objectContaining({ operation: 'findMyUser', error_rate: 0 }),
    );

    const frame = await screen.frameWith(/findMyUser/);
    expect(frame.length).toBeLessThanOrEqual(24);
    for (const line of frame) expect(line.length).toBeLessThanOrEqual(80);
    expect(frame.at(-1)).toContain('q quit');
    screen.press('n');
    screen.press('q');
    expect((await watched).status).toBe(0);
    expect(screen.isClosed()).toBe(true);
  });
});

describe('without a server to show, says what to do', () => {
  test.each([
    [['top', 'http://[bad'], 2, 'where must be PORT, HOST:PORT or a URL, not "http://[bad"'],
    [['top', '9100', '--interval', '1'], 2, '--interval must be from 2 to 60 seconds'],
    [['top', '9100', '--sort', 'size'], 2, 'Allowed choices are rate, slowest, errors, name'],
  ])('%j', async (args, status, message) => {
    const outcome = await runCli(args);
    expect(outcome.status).toBe(status);
    expect(outcome.stderr).toContain(message);
  });

  test('for a port where nothing listens, a refused or missing page, other metrics and no terminal', async () => {
    const port = await freePort();
    const closed = await runCli(['top', '--once'], { env: { PIPIT_METRICS: String(port) } });
    expect(closed.stderr).toBe(
      `pipit: no server answers at http://127.0.0.1:${port}/metrics: start it with pipit serve --metrics 9100, or name its address`,
    );
    const server = createServer((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status).end(status === 200 ? 'up 1\n' : '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const noteOf = async (path: string) => (await runCli(['top', `${url}/${path}`])).stderr;
    expect(await noteOf('403')).toContain('answers 403: a proxy keeps metrics from you');
    expect(await noteOf('404')).toContain('answers 404: start the server with --metrics');
    expect(await noteOf('200')).toContain('has no metrics of Pipit');
    server.close();
    await using app = await startTestApp({ flags: { metrics: 'public' } });
    const outcome = await runCli(['top', await app.listen()]);
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toContain('there is no terminal: print a table with --once');
  });
});
