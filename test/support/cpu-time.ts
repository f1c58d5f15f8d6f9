/**
 * Returns a function that returns the processor time of this process since, in ms. Time on the clock would depend on
 * what else the machine does.
 */
export function startCpuTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
