import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Entry } from '../../src/cli/command.ts';
import { findCommand } from '../../src/cli/parse/named-command.ts';

/** The directory that `npm run tried` collects from; undefined in other runs. */
const directory = process.env.TRIED_DIRECTORY;
/** The ports that each command has connected to. */
const ports = new AsyncLocalStorage<Set<number>>();

if (directory !== undefined)
  subscribe('net.client.socket', (message) => {
    const { socket } = message as { readonly socket: Socket };
    const command = ports.getStore();
    socket.once('connect', () => command?.add(socket.remotePort ?? 0));
  });

/** Runs a command line, and notes which services it has reached if it succeeds. */
export async function noting(
  entries: readonly Entry[],
  words: readonly string[],
  command: () => Promise<number>,
): Promise<number> {
  if (directory === undefined) return await command();
  const reached = new Set<number>();
  const exitCode = await ports.run(reached, command);
  const { target, path } = await findCommand(entries, words);
  const shows = /--(?:dry-run|help|version)\b|(?:^| )-h\b|--format[ =]schema\b/.test(words.join(' '));
  if (exitCode !== 0 || shows || target?.type !== 'command') return exitCode;
  const names = reached.size === 0 ? ['no service'] : namesOf(reached);
  appendFileSync(join(directory, `${process.pid}.ndjson`), `${JSON.stringify([path.join(' '), names])}\n`);
  return exitCode;
}

/** The services that have these ports; all that are not those of the test run are simulated or scripted. */
function namesOf(reached: ReadonlySet<number>): readonly string[] {
  const [services, registry] = [inject('services'), inject('registry')];
  const real = new Map<number, string>();
  if (services !== undefined) {
    const { kafkaVersion, directory: home, issuer: _, ...addresses } = services;
    const shared = join(home, 'cluster3', 'cluster.json');
    const cluster = existsSync(shared) ? readFileSync(shared, 'utf8') : '';
    for (const port of portsIn(JSON.stringify(addresses) + cluster)) real.set(port, `Apache Kafka ${kafkaVersion}`);
  }
  if (registry !== undefined)
    for (const port of portsIn(registry.address)) real.set(port, `Apicurio Registry ${registry.version}`);
  return [...new Set([...reached].map((port) => real.get(port) ?? 'simulated'))];
}

function portsIn(text: string): readonly number[] {
  return [...text.matchAll(/:(\d{4,5})\b/g)].map(([, port]) => Number(port));
}
