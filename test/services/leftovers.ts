import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessId } from '../../src/files/process-id.ts';
import { stop } from '../../src/sandbox/process.ts';

/** Kills everything synchronously as a last resort, which leaves no way to check start times. */
export function killAll(directory: string): void {
  for (const { pid } of recorded(directory)) kill(pid);
  for (const pid of unrecorded(directory)) kill(pid);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Stops every process that was started in a directory, and removes it. */
export async function endAll(directory: string): Promise<void> {
  await Promise.all(recorded(directory).map((one) => stop(one, { graceMs: 0 })));
  // A worker killed while it was starting a cluster may have started more processes than it recorded.
  for (const pid of unrecorded(directory)) kill(pid);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has already exited
  }
}

function recorded(directory: string): readonly ProcessId[] {
  const names = entriesOf(directory, true).filter((name) => name.endsWith('process.json'));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as ProcessId);
}

/** Finds processes with this directory, unique to the run, in their command line; none on systems without /proc. */
function unrecorded(directory: string): readonly number[] {
  const pids = entriesOf('/proc', false).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => commandLine(pid).includes(`${directory}/`)).map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** The names in a directory; none if it is not there. */
export function entriesOf(directory: string, recursive: boolean): readonly string[] {
  try {
    return readdirSync(directory, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}
