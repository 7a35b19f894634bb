import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { run } from '../run.ts';

/** Runs `work` with the address of a simulated broker that has the topic `release`, started by the build. */
export function withBroker<T>(place: string, work: (brokers: string) => T): T {
  const own = { PATH: env.PATH, HOME: join(place, 'home-of-the-sandbox') };
  const weir = (...args: readonly string[]) => run(execPath, ['bin/weir.js', ...args], { env: own });
  try {
    const said = weir('sandbox', 'start', '--engine', 'simulated', '--name', 'release', '--format', 'json');
    const [address] = /127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address === undefined) throw new Error(`weir sandbox start says: ${said}`);
    weir('topic', 'create', 'release');
    return work(address);
  } finally {
    weir('sandbox', 'purge', '--name', 'release', '--yes');
  }
}
