import { globSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openClients } from '../../src/clients/clients.ts';
import type { Config } from '../../src/config/config.ts';
import { resolveConfig } from '../../src/config/resolve.ts';
import type { ContextParts } from '../../src/context.ts';
import type { Host } from '../../src/host/host.ts';
import { showHostPort } from '../../src/net/address.ts';
import { emptyDirectory, hostOf } from '../config/sources/sources.ts';
import { deadAddress } from '../services/dead-address.ts';
import { metadataAnswer } from '../services/scripted-answers.ts';
import { startScriptedBroker } from '../services/scripted-broker.ts';
import { deadlineOf } from '../services/scripted-client.ts';
import { services } from '../services/services.ts';

/** The clients of a command with this configuration. */
function clientsOf(host: Host, config: Config) {
  const messages = { warn: () => undefined, warnOnce: () => undefined };
  const parts = { host, messages, command: 'weir cluster brokers list' } as unknown as ContextParts;
  const clients = openClients(
    parts,
    async () => config,
    async () => deadlineOf(),
  );
  onTestFinished(clients.close);
  return clients;
}

/** What clients are closed by, and how one uses that of another cluster. */
const inside: readonly string[] = ['close', 'client', 'api'];

test('every call of every client is used', async () => {
  const host = hostOf({ home: emptyDirectory() });
  const clients = clientsOf(host, await resolveConfig(host, { x: [], deprecated: [] }));
  const sources = globSync('src/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const unused = (client: string, calls: object, isUser: (file: string) => boolean) => {
    const users = sources.filter(({ file }) => isUser(file)).map(({ text }) => text);
    return Object.keys(calls).filter((call) => {
      // A command that does the same over two APIs has what they share as `calls`.
      const use = new RegExp(`(?:\\b(?:${client}|calls)|\\(\\)\\))\\s*\\.${call}\\b`);
      return !inside.includes(call) && !users.some((text) => use.test(text));
    });
  };
  for (const name of ['kafka', 'admin', 'registry'] as const) {
    expect(unused(name, await clients[name](), (file) => !file.startsWith(`src/${name}/`))).toEqual([]);
  }
  const cloud = await clients.cloud();
  expect(unused('cloud', cloud, (file) => !/^src\/cloud\/(?!flow|plugin)/.test(file))).toEqual([]);
  expect(unused('logins', cloud.logins, (file) => !file.startsWith('src/cloud/'))).toEqual([]);
});

/** The error of a command that finds nobody at the address of the Admin API; on this machine, its port may be taken. */
async function refusedBeside(brokers: string, source: 'default' | 'flag' = 'default') {
  const admin = await deadAddress();
  const host = hostOf({ home: emptyDirectory() });
  const x = [`brokers=${brokers}`, `admin.hosts=${showHostPort(admin.address)}`];
  const resolved = await resolveConfig(host, { x, deprecated: [] });
  const setting: Config['setting'] = (key) => {
    const found = resolved.setting(key);
    return key === 'admin.hosts' ? { ...found, source } : found;
  };
  const clients = clientsOf(host, { ...resolved, setting });
  onTestFinished(admin.release);
  const failure = (await clients.admin()).brokers().then(() => undefined);
  return await failure.catch((error: unknown) => error);
}

test('beside a real Kafka, the default address of the Admin API that nobody answers is no fault', async () => {
  expect(await refusedBeside(services().plaintext)).toMatchObject({
    code: 'NO_ADMIN_API',
    hints: expect.arrayContaining(['over the Kafka API, use: weir cluster info']),
  });
});

test('an address of the Admin API that is set stays an address that refuses, beside a real Kafka too', async () => {
  expect(await refusedBeside(services().plaintext, 'flag')).toMatchObject({ code: 'CONNECTION_REFUSED' });
});

test.each([
  ['Redpanda', 'redpanda.2a1cfb0e-54f2-4d4c-9dd8-22b7ab0e0a5c'],
  ['Redpanda that has no id yet', 'redpanda.initializing'],
  ['a cluster that does not say what it is', undefined],
])('an Admin API that is down is not said to be missing: %s', async (_, clusterId) => {
  await using broker = await startScriptedBroker({
    Metadata: () => metadataAnswer({ brokers: [{ id: 1, ...broker.address }], clusterId }),
  });
  expect(await refusedBeside(showHostPort(broker.address))).toMatchObject({ code: 'CONNECTION_REFUSED' });
  expect(broker.journal.some(({ api }) => api === 'Metadata')).toBe(true);
});

test('brokers that refuse as well do not hide which address was tried', async () => {
  await using dead = await deadAddress();
  expect(await refusedBeside(showHostPort(dead.address))).toMatchObject({ code: 'CONNECTION_REFUSED' });
});
