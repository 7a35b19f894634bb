import { onTestFinished } from 'vitest';
import { kafkaView } from '../../src/sandbox/admin/kafka-view.ts';
import { createMemoryRegistry } from '../commands/registry/memory-registry.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { startControlledAdmin } from '../sandbox/admin/controlled.ts';
import { startModelServer } from '../sandbox/broker/control.ts';
import { run } from '../world.ts';

/** Simulated brokers of Redpanda and its Admin API. */
export async function redpanda(settings = {}) {
  const server = await startModelServer({
    brokers: [{ id: 0, host: '127.0.0.1', port: 0 }],
    settings: { flavour: 'redpanda', autoCreateTopics: false, metadataDelayMs: 0, ...settings },
  });
  const { brokers } = server;
  const seeds = brokers.map(({ host, port }) => `${host}:${port}`).join(',');
  const { api } = await startControlledAdmin({
    view: kafkaView({ options: { brokers: seeds }, brokers }),
    settings: { release: '26.2' },
  });
  onTestFinished(async () => void (await Promise.all([server.close(), api.close()])));
  const env = {
    WEIR_BROKERS: seeds,
    WEIR_ADMIN_HOSTS: api.addresses.join(','),
    PASSWORD: 'secret',
    ANA_PASSWORD: 'secret',
  };
  return (line: string, stdin = '', others = {}, place = {}) =>
    run(line, { ...place, env: { ...env, ...others }, stdin });
}

/** The same with a schema registry. */
export async function withRegistry(answer = createMemoryRegistry('redpanda26')) {
  const [weir, registry] = await Promise.all([redpanda(), startScriptedRegistry(answer)]);
  onTestFinished(() => registry[Symbol.asyncDispose]());
  const hosts = { WEIR_REGISTRY_HOSTS: `127.0.0.1:${registry.port}` };
  const run = (line: string, stdin = '', others = {}, place = {}) => weir(line, stdin, { ...hosts, ...others }, place);
  return { weir: run, calls: registry.calls };
}
