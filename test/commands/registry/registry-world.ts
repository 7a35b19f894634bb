import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ScriptedRegistry, startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';
import { createMemoryRegistry, type Vendor } from './memory-registry.ts';

/** Schemas in files, by name. */
export const files = {
  'order.avsc': '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"}]}',
  'order2.avsc': '{"type":"record","name":"Order","fields":[{"name":"id","type":"string"}]}',
  'incompatible.avsc': '{"type":"string","doc":"incompatible"}',
  'transitive.avsc': '{"type":"string","doc":"transitive"}',
  'money.proto': 'syntax = "proto3";\nmessage Money {\n  int64 cents = 1;\n}\n',
  'money2.proto': 'syntax = "proto3";\nmessage Money {\n  int64 cents = 1;\n  string currency = 2;\n}\n',
  'bill.proto': 'syntax = "proto3";\nimport "money.proto";\nmessage Bill {\n  Money sum = 1;\n}\n',
  'text.json': '{"type":"string","maxLength":90071992547409931}',
} as const;

/** A registry, and command lines that use it. */
export interface RegistryWorld extends AsyncDisposable {
  readonly server: ScriptedRegistry;
  readonly world: World;
  /** Runs a line of `weir registry`. */
  registry(line: string | readonly string[], world?: World): Promise<Outcome>;
}

/** Starts a registry and writes the files. */
export async function startRegistryWorld(vendor?: Vendor): Promise<RegistryWorld> {
  const server = await startScriptedRegistry(createMemoryRegistry(vendor));
  const cwd = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const world: World = {
    cwd,
    env: { WEIR_REGISTRY_HOSTS: `127.0.0.1:${server.port}` },
  };
  return {
    server,
    world,
    registry: (line, more = {}) => {
      const words = typeof line === 'string' ? `registry ${line}` : ['registry', ...line];
      return run(words, {
        ...world,
        ...more,
        env: { ...world.env, ...more.env },
      });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Starts one in which "orders" has two versions, and "bill" refers to "money". */
export async function startFilledRegistry(vendor?: Vendor): Promise<RegistryWorld> {
  const made = await startRegistryWorld(vendor);
  for (const line of [
    'schema create orders --schema order.avsc',
    'schema create orders --schema order2.avsc',
    'schema create money --schema money.proto',
    'schema create bill --schema bill.proto --references money.proto:money:1',
  ]) {
    const { exitCode, stderr } = await made.registry(line);
    if (exitCode !== 0) throw new Error(stderr);
  }
  return made;
}
