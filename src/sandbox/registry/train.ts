import { writeClassArchive } from '../class-archive.ts';
import type { Machine } from '../machine.ts';
import { freePorts } from '../ports.ts';
import { answers, apiOf, plainArguments } from './process.ts';
import type { RegistryRuntime } from './runtime.ts';

/** Schemas that make the registry load what it needs for each type. */
const samples = [
  { schemaType: 'AVRO', schema: '{"type":"record","name":"A","fields":[{"name":"a","type":"int"}]}' },
  { schemaType: 'PROTOBUF', schema: 'syntax = "proto3"; message A { int32 a = 1; }' },
  { schemaType: 'JSON', schema: '{"type":"object","properties":{"a":{"type":"integer"}}}' },
];

/** Prepares faster starts of the registry, once for each Java. */
export async function trainRegistry(machine: Machine, runtime: RegistryRuntime, version: string): Promise<void> {
  const [port = 0] = await freePorts(1);
  let name = '';
  await writeClassArchive(machine, runtime, {
    name: 'the schema registry',
    async begin(directory) {
      name = directory;
      return plainArguments(runtime.libraries, { version, port, name });
    },
    isReady: () => answers({ port, name }),
    async use() {
      for (const sample of samples) await register(port, sample);
    },
  });
}

async function register(port: number, { schemaType, schema }: (typeof samples)[number]): Promise<void> {
  const post = async (path: string): Promise<void> => {
    const response = await fetch(`${apiOf(port)}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify({ schema, schemaType }),
    }).catch(() => undefined);
    await response?.text().catch(() => undefined);
  };
  await post(`/subjects/${schemaType}/versions`);
  await post(`/subjects/${schemaType}`);
  await post(`/compatibility/subjects/${schemaType}/versions/latest`);
}
