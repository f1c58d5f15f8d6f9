import { DAY_MS, dayOf, type DayFigure, type DayFigureName } from '../../core/day-figures.js';
import { MAX_ID, type UserId } from '../../core/ids.js';
import { firstIdAt } from '../../core/snowflake.js';
import type { Engine } from '../../database/engine.js';
import {
  countPostsBetween,
  countUsersBetween,
  listDayFigures,
  putDayFigure,
  sumMediaBytes,
} from '../../stores/day-figures.js';
import type { ServiceDeps } from '../service-deps.js';

/** The days that the overview shows, and that are counted. */
export const SHOWN_DAYS = 30;

/** The rows of one statement, so that none takes long. */
const CHUNK = 5_000;

type Deps = Pick<ServiceDeps, 'engine' | 'clock'>;

/**
 * Counts posts, their authors and new accounts of each of the last days that are not final, and today's people and media.
 * Runs with the hourly housekeeping. Ends early when `signal` aborts.
 */
export async function countDays(deps: Deps, signal: AbortSignal): Promise<void> {
  const { engine, clock } = deps;
  const today = dayOf(clock());
  const counted = await listDayFigures(engine, today - SHOWN_DAYS + 1);
  const final = new Set(
    counted
      .filter(({ name, day, countedAtMs }) => name === 'posts' && dayOf(countedAtMs) > day)
      .map(({ day }) => day),
  );
  for (let day = today - SHOWN_DAYS + 1; day <= today && !signal.aborted; day += 1) {
    if (!final.has(day)) await store(deps, day, await countDay(deps, day));
  }
  if (!signal.aborted) await store(deps, today, await countTotals(deps));
}

type Figures = Partial<Record<DayFigureName, number>>;

async function store({ engine, clock }: Deps, day: number, figures: Figures): Promise<void> {
  await engine.tx('store figures', async (tx) => {
    for (const [name, value] of Object.entries(figures)) {
      const figure: DayFigure = { day, name: name as DayFigureName, value, countedAtMs: clock() };
      await putDayFigure(tx, figure);
    }
  });
}

/** Counts a day by the range of its ids, which contain their time. */
async function countDay({ engine }: Deps, day: number): Promise<Figures> {
  const [before, below] = [firstIdAt(day * DAY_MS) - 1n, firstIdAt((day + 1) * DAY_MS)];
  const authors = new Set<UserId>();
  let posts = 0;
  for await (const part of parts(before, (after) => countPostsBetween(engine, after, below, CHUNK))) {
    posts += part.count;
    for (const id of part.authorIds) authors.add(id);
  }
  return { posts, authors: authors.size, sign_ups: await countUsers(engine, before, below) };
}

async function countTotals({ engine }: Deps): Promise<Figures> {
  let bytes = 0;
  for await (const part of parts(0n, (after) => sumMediaBytes(engine, after, CHUNK))) bytes += part.bytes;
  return { people: await countUsers(engine, -1n, MAX_ID), media_bytes: bytes };
}

async function countUsers(engine: Engine, before: bigint, below: bigint): Promise<number> {
  let count = 0;
  for await (const part of parts(before, (after) => countUsersBetween(engine, after, below, CHUNK)))
    count += part.count;
  return count;
}

/** Yields what each statement returns, until one does not tell where to continue. */
async function* parts<T extends { readonly last?: bigint }>(
  from: bigint,
  read: (after: bigint) => Promise<T>,
): AsyncGenerator<T> {
  for (let after: bigint | undefined = from; after !== undefined;) {
    const part: T = await read(after);
    yield part;
    after = part.last;
  }
}
