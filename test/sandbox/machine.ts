import { chmodSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Node } from '../../src/sandbox/kafka/properties.ts';
import type { Machine } from '../../src/sandbox/machine.ts';

/** A machine that records what it tells; by default it has no environment and is never interrupted. */
export interface RecordingMachine extends Machine {
  readonly notices: readonly string[];
  readonly steps: readonly string[];
}

/** Makes a machine from the parts that a test needs. */
export function newMachine(more: Partial<Machine> = {}): RecordingMachine {
  const { signal = new AbortController().signal } = more;
  const [notices, steps]: [string[], string[]] = [[], []];
  return {
    env: {},
    home: undefined,
    platform: 'linux',
    uid: userInfo().uid,
    signal,
    lockWait: { signal },
    openEnded: (work) => work(),
    notice: (line) => void notices.push(line),
    progress: (line) => void steps.push(line),
    notices,
    steps,
    ...more,
  };
}

/** Writes a program for `/bin/sh` and returns its path. */
export function writeProgram(directory: string, name: string, script: string): string {
  const file = join(directory, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A broker with its files in this directory, and only the listeners that every broker has. */
export function nodeIn(directory: string): Node {
  const listener = { name: 'INTERNAL', bind: { host: '127.0.0.1', port: 1 } };
  return { id: 1, directory, seenAs: directory, listeners: [], internal: listener, controller: listener };
}
