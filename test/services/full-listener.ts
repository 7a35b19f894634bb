import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '../../src/net/address.ts';

/** An address where TCP connections are never completed. */
export interface FullListener extends AsyncDisposable {
  readonly address: Address;
}

const listen = `require('node:net').createServer().listen(0, '127.0.0.1', 1, function () {
  process.stdout.write(String(this.address().port));
});`;

/**
 * Creates a listener with a queue of one, stops its process and fills the queue. The kernel then drops further
 * connection attempts, as a firewall does. Linux only.
 */
export async function startFullListener(): Promise<FullListener> {
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const address = { host: '127.0.0.1', port: Number(port) };
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  // The kernel completes connections that fit in the queue; the first that stays incomplete shows that it is full.
  for (let full = false; !full; ) {
    const filler = connect(address.port, address.host);
    filler.on('error', () => undefined);
    fillers.push(filler);
    full = await Promise.race([once(filler, 'connect').then(() => false), isIncomplete()]);
  }
  return {
    address,
    async [Symbol.asyncDispose]() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Resolves when a connection had its time, and the event loop has reported what the kernel did until then. */
async function isIncomplete(): Promise<boolean> {
  await delay(500);
  await nextTurn();
  return true;
}
