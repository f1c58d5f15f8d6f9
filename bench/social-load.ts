/**
 * The load of a social network, in its own process: home timelines, user timelines and posts at 60:30:10, by random
 * users. Runs the rounds that its parent sends and reports each.
 */
import { Connection } from './connection.js';
import { getRequest } from './requests.js';
import type { SocialUser } from './social-world.js';

export interface SocialRound {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly users: readonly SocialUser[];
  /** Makes texts differ from those of other rounds. */
  readonly round: number;
  /** The one status of the yardstick; absent for the API, whose statuses differ by request. */
  readonly status?: number;
}

export const KINDS = ['home', 'user', 'post'] as const;
export type Kind = (typeof KINDS)[number];

interface KindReport {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface SocialReport {
  readonly perSecond: number;
  readonly kinds: Readonly<Record<Kind, KindReport>>;
  /** Unexpected responses: status and count. */
  readonly failures: readonly (readonly [number, number])[];
}

const HOST = 'bench.example';
const TEXT_LENGTH = 256;
const MAX_MENTIONS = 5;
const MAX_LINKS = 5;
const PAGE = 'max_results=20&expansions=author_id&tweet.fields=created_at,public_metrics';

export function homeRequest({ id, token }: SocialUser): string {
  const path = `/2/users/${id}/timelines/reverse_chronological?${PAGE}`;
  return getRequest(path, HOST, `Bearer ${token}`);
}

export function userRequest({ token }: SocialUser, of: SocialUser): string {
  return getRequest(`/2/users/${of.id}/tweets?${PAGE}`, HOST, `Bearer ${token}`);
}

function anyOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

function kindOf(draw: number): Kind {
  return draw < 0.6 ? 'home' : draw < 0.9 ? 'user' : 'post';
}

/** Returns a text of 256 characters with up to five mentions and up to five links. */
function postRequest({ token }: SocialUser, { users, round }: SocialRound, count: number): string {
  const some = (max: number): number => Math.floor(Math.random() * (max + 1));
  const parts = [
    `Round ${round}, post ${count}.`,
    ...Array.from({ length: some(MAX_MENTIONS) }, () => `@${anyOf(users).username}`),
    ...Array.from({ length: some(MAX_LINKS) }, (_, n) => `https://example.com/${n}`),
  ].join(' ');
  const body = JSON.stringify({
    text: `${parts} `.padEnd(TEXT_LENGTH, 'and so on ').slice(0, TEXT_LENGTH).trim(),
  });
  return (
    `POST /2/tweets HTTP/1.1\r\nhost: ${HOST}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

async function runRound(round: SocialRound): Promise<SocialReport> {
  const connections = await Promise.all(
    Array.from({ length: round.connections }, () => Connection.open(round.port)),
  );
  const times: Record<Kind, number[]> = { home: [], user: [], post: [] };
  const failures = new Map<number, number>();
  const startMs = performance.now();
  const endMs = startMs + round.seconds * 1_000;
  let count = 0;
  const drive = (connection: Connection): Promise<void> =>
    new Promise((resolve) => {
      const turn = (): void => {
        const sentMs = performance.now();
        if (sentMs >= endMs) return resolve();
        const user = anyOf(round.users);
        const kind = kindOf(Math.random());
        count += 1;
        const request =
          kind === 'home'
            ? homeRequest(user)
            : kind === 'user'
              ? userRequest(user, anyOf(round.users))
              : postRequest(user, round, count);
        connection.send(request, (status) => {
          if (status === (round.status ?? (kind === 'post' ? 201 : 200)))
            times[kind].push(performance.now() - sentMs);
          else failures.set(status, (failures.get(status) ?? 0) + 1);
          turn();
        });
      };
      turn();
    });
  await Promise.all(connections.map(drive));
  const seconds = (performance.now() - startMs) / 1_000;
  for (const connection of connections) connection.close();
  const total = KINDS.reduce((sum, kind) => sum + times[kind].length, 0);
  return {
    perSecond: total / seconds,
    kinds: { home: reportOn(times.home), user: reportOn(times.user), post: reportOn(times.post) },
    failures: [...failures],
  };
}

function reportOn(times: number[]): KindReport {
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return { requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}

process.on('message', (round: SocialRound) => {
  void runRound(round).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
