import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { node } from './world.ts';

/** Runs a registry that has the schema of the orders in its own process, because this one only waits for programs. */
export async function withRegistry<T>(work: (url: string) => Promise<T>): Promise<T> {
  const program = join(import.meta.dirname, 'order-registry.ts');
  const registry = spawn(node, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(registry.stdout, 'data');
    return await work(String(line).trim());
  } finally {
    registry.kill();
  }
}
