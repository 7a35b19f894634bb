import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { runner, weir } from './built.ts';
import type { Outcome, World } from './world.ts';

/** Whether a process of its own can have this world: it has the real clock, no terminal and the real weir. */
export function canBeProcess({ terminal, now, uptimeMs, uid, spawn: child, onSpawnSelf, ...world }: World): boolean {
  const own = [terminal, now, uptimeMs, uid, child, onSpawnSelf, world.commands, world.onAbandon, world.platform];
  return own.every((one) => one === undefined);
}

/** Where a process runs. */
interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** Runs one command line as a process of its own, in the given world. */
export async function runProcess(words: readonly string[], world: World, place: Place): Promise<Outcome> {
  const child = spawn(runner, [weir, ...words], {
    cwd: place.cwd,
    env: { PATH: process.env.PATH, HOME: place.home, ...world.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stderr.on('data', (chunk: Buffer) => {
    stderr.push(chunk);
    world.onStderr?.(chunk.toString());
  });
  const read = (async () => {
    for await (const chunk of child.stdout) {
      stdout.push(chunk);
      await world.onStdout?.(String(chunk));
    }
  })();
  child.stdin.on('error', () => undefined);
  if (world.stdin instanceof Readable) world.stdin.pipe(child.stdin);
  else child.stdin.end(world.stdin ?? '');
  world.onStart?.((signal) => void child.kill(signal));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject).on('close', (...ended) => resolve(ended));
  });
  await read;
  const codes: Partial<Record<NodeJS.Signals, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  return {
    stdout: Buffer.concat(stdout).toString(),
    stderr: Buffer.concat(stderr).toString(),
    exitCode: code ?? (signal === null ? -1 : (codes[signal] ?? -2)),
  };
}
