import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../../src/sandbox/machine.ts';
import { createRegistryPart, planRegistry, registryState } from '../../src/sandbox/registry/part.ts';
import type { Registry } from './registry.ts';

/** Starts the registry in a directory below that of the services. The end of the test run stops it. */
export async function startRegistry(directory: string, machine: Machine): Promise<Registry> {
  const own = join(directory, 'registry');
  await mkdir(own, { recursive: true });
  const planned = await planRegistry();
  const part = createRegistryPart({ directory: own, sandbox: 'test' }, planned);
  await part.start(machine);
  const process = (await registryState.read(own))?.process;
  const [member] = await part.status();
  if (!process || member === undefined) throw new Error('the registry did not start');
  await writeFile(join(own, 'process.json'), JSON.stringify(process));
  const { 'registry.hosts': url = '' } = part.options();
  return { url, address: member.address, version: planned.version, process, log: member.log };
}
