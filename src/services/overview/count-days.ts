import { DAY_MS, dayOf, type DayFigure, type DayFigureName } from '../../core/day-figures.js';
import { MAX_ID, type UserId } from '../../core/ids.js';
import { firstIdAt } from '../../core/snowflake.js';
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
  let [posts, signUps] = [0, 0];
  for (let after: bigint | undefined = before; after !== undefined;) {
    const part: Awaited<ReturnType<typeof countPostsBetween>> = await countPostsBetween(
      engine,
      after,
      below,
      CHUNK,
    );
    posts += part.count;
    for (const id of part.authorIds) authors.add(id);
    after = part.last;
  }
  signUps = await countUsers({ engine }, before, below);
  return { posts, authors: authors.size, sign_ups: signUps };
}

async function countTotals({ engine }: Deps | Pick<Deps, 'engine'>): Promise<Figures> {
  let bytes = 0;
  for (let after: bigint | undefined = 0n; after !== undefined;) {
    const part: Awaited<ReturnType<typeof sumMediaBytes>> = await sumMediaBytes(engine, after, CHUNK);
    bytes += part.bytes;
    after = part.last;
  }
  return { people: await countUsers({ engine }, -1n, MAX_ID), media_bytes: bytes };
}

async function countUsers({ engine }: Pick<Deps, 'engine'>, before: bigint, below: bigint): Promise<number> {
  let count = 0;
  for (let after: bigint | undefined = before; after !== undefined;) {
    const part: Awaited<ReturnType<typeof countUsersBetween>> = await countUsersBetween(
      engine,
      after,
      below,
      CHUNK,
    );
    count += part.count;
    after = part.last;
  }
  return count;
}
