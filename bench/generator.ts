/** The load generator, in its own process: runs the rounds that its parent sends and reports each. */
import { Connection } from './connection.js';
import { pollSockets } from './poll-sockets.js';
import type { Round, RoundReport } from './rounds.js';
import { requestSource } from './requests.js';

process.on('message', (round: Round) => {
  void runRound(round).then((report) => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));

async function runRound(round: Round): Promise<RoundReport> {
  const next = requestSource(round.plan);
  const connections = await Promise.all(
    Array.from({ length: round.connections }, () => Connection.open(round.port)),
  );
  const stopPolling = round.polls ? pollSockets() : () => undefined;
  const latenciesMs: number[] = [];
  const failures = new Map<number, number>();
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const endMs = startMs + round.seconds * 1000;
  await Promise.all(
    connections.map(
      (connection) =>
        new Promise<void>((resolve) => {
          const turn = (): void => {
            const sentMs = performance.now();
            if (sentMs >= endMs) return resolve();
            connection.send(next(), (status) => {
              if (status === round.status) latenciesMs.push(performance.now() - sentMs);
              else failures.set(status, (failures.get(status) ?? 0) + 1);
              turn();
            });
          };
          turn();
        }),
    ),
  );
  stopPolling();
  const seconds = (performance.now() - startMs) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  latenciesMs.sort((one, other) => one - other);
  return {
    perSecond: latenciesMs.length / seconds,
    requests: latenciesMs.length,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    generatorBusy: (user + system) / 1e6 / seconds,
    failures: [...failures],
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
