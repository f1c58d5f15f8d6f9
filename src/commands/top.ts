import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { parseDigits } from '../core/digits.js';
import { Interval, type Scrape } from '../operations/top/interval.js';
import { viewOf, type ServerView } from '../operations/top/server-view.js';
import { ORDERS, tableOf, type Order } from '../operations/top/table.js';
import { choice, CommandRefused, type CommandIo } from './command.js';
import type { TerminalScreen } from './terminal-screen.js';
import { metricsUrl, scrape } from './top-scrape.js';

interface TopOptions {
  readonly once?: true;
  readonly json?: true;
  readonly interval: string;
  readonly sort: Order;
}

/** Servers keep their metrics for a second. */
const MIN_SECONDS = 2;
const MAX_SECONDS = 60;
const KEYS = 'q quit   sort by: r rate  p p99  e errors  n name';

/** Adds `pipit top`. */
export function addTopCommand(program: Command, io: CommandIo): void {
  program
    .command('top [where]')
    .description('show what a running server does, from its metrics: PORT, HOST:PORT or a URL (default 9100)')
    .option('--once', 'print one table and end')
    .option('--json', 'print the figures as JSON and end')
    .option(
      '--interval <seconds>',
      `the time that rates are measured over, from ${MIN_SECONDS} to ${MAX_SECONDS}`,
      '2',
    )
    .addOption(choice('--sort <order>', 'the order of the operations', Object.values(ORDERS)).default('rate'))
    .action((where: string | undefined, options: TopOptions) => top(io, where, options));
}

async function top(io: CommandIo, where: string | undefined, options: TopOptions): Promise<void> {
  const url = metricsUrl(where, io.env);
  const seconds = parseDigits(options.interval, MIN_SECONDS, MAX_SECONDS);
  if (seconds === undefined)
    throw new CommandRefused(`--interval must be from ${MIN_SECONDS} to ${MAX_SECONDS} seconds`, 2);
  const first = await scrape(url);
  if (options.once || options.json) return printOnce(io, { url, seconds, first }, options);
  const screen = io.openScreen?.();
  if (screen === undefined)
    throw new CommandRefused('there is no terminal: print a table with --once, or figures with --json', 2);
  try {
    await new TopScreen(screen, options.sort).run(io, { url, seconds, first });
  } finally {
    screen.close();
  }
}

interface Watched {
  readonly url: string;
  /** Between two scrapes. */
  readonly seconds: number;
  readonly first: Scrape;
}

async function printOnce(
  io: CommandIo,
  { url, seconds, first }: Watched,
  options: TopOptions,
): Promise<void> {
  await pause(seconds * 1000);
  const view = viewNow(first, await scrape(url));
  if (options.json) io.print(JSON.stringify(inSnakeCase(view)));
  else for (const line of tableOf(view, options.sort, { columns: 120 })) io.print(line);
}

function viewNow(before: Scrape, now: Scrape): ServerView {
  return viewOf(new Interval(before, now), Date.now() / 1000);
}

/** The members of commands' JSON are in snake case. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(member),
    ]),
  );
}

/** The table on a terminal, until a key or signal ends it. */
class TopScreen {
  #view: ServerView | undefined;
  #problem = '';

  constructor(
    private readonly screen: TerminalScreen,
    private order: Order,
  ) {}

  /** Resolves when the user has ended it. */
  async run(io: CommandIo, { url, seconds, first }: Watched): Promise<void> {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    void io.stopRequested().then(end);
    this.screen.onKey((key) => this.#take(key, end));
    let before = first;
    this.#draw();
    while (!ended.signal.aborted) {
      await pause(seconds * 1000, undefined, ended).catch(() => undefined);
      if (ended.signal.aborted) return;
      const now = await scrape(url).catch((error: unknown) => this.#note(error));
      if (now === undefined) continue;
      this.#problem = '';
      this.#view = viewNow(before, now);
      before = now;
      this.#draw();
    }
  }

  #take(key: string, end: () => void): void {
    if (key === 'q' || key === '\u0003') return end();
    const order: Order | undefined = ORDERS[key as keyof typeof ORDERS];
    if (order !== undefined) this.order = order;
    this.#draw();
  }

  /** The server may come back: what was known stays on the screen. */
  #note(error: unknown): undefined {
    this.#problem = error instanceof Error ? error.message : String(error);
    this.#draw();
  }

  #draw(): void {
    const { columns, rows } = this.screen.size();
    const room = { columns, rows: Math.max(1, rows - 1) };
    const lines = this.#view ? tableOf(this.#view, this.order, room) : ['measuring ...'];
    const foot = (this.#problem || KEYS).replaceAll(/[^ -~]/g, '?').slice(0, columns);
    this.screen.draw([...lines, foot]);
  }
}
