import { onTestFinished, vi } from 'vitest';

/** The longest time that an interrupted command gets to end by itself, in milliseconds; no other timer is as long. */
const graceMs = 5_000;

/**
 * Variables for a weir in a process of its own that is never ended because its time to end is over: it either reacts to
 * a signal or stays for ever. To measure how soon it ends would fail on a slow machine.
 */
export const endlessGrace = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const set = setTimeout;
    globalThis.setTimeout = (call, ms, ...rest) => set(call, ms === ${graceMs} ? 2 ** 31 - 1 : ms, ...rest);`,
  )}`,
};

/** The same for commands in this process, until the test ends. */
export function endGraceNever(): void {
  const set = globalThis.setTimeout;
  const spy = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((call: () => void, ms?: number) =>
      set(call, ms === graceMs ? 2 ** 31 - 1 : ms)) as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
}
