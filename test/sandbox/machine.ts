import type { Machine } from '../../src/sandbox/machine.ts';

/** A machine with an empty environment, no home directory and nobody who watches; `parts` replaces any of that. */
export function bareMachine(parts: Partial<Machine> = {}): Machine {
  const { signal = new AbortController().signal } = parts;
  return {
    env: {},
    home: undefined,
    platform: 'linux',
    signal,
    lockWait: { signal },
    openEnded: (work) => work(),
    notice: () => undefined,
    progress: () => undefined,
    ...parts,
  };
}
