/**
 * Starts measuring the processor time of this process; the returned function gives the milliseconds since then.
 * Other programs on a busy machine do not count, so a limit on it can be tight.
 */
export function startProcessorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
}
