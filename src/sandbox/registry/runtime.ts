import { usageError } from '../../errors.ts';
import { findJava, findProgram, oldestJava } from '../java.ts';
import type { Machine } from '../machine.ts';
import { hasRegistry, resolveRegistry } from './libraries.ts';

/** What is needed to run the registry. */
export interface RegistryRuntime {
  /** Path of the `java` program. */
  readonly java: string;
  /** The directory that holds its jars. */
  readonly libraries: string;
}

/** Checks, without downloading, that this machine can run the registry. @throws CliError (exit 2) when it cannot */
export async function checkRegistryRuntime(machine: Machine, version: string): Promise<void> {
  await javaOf(machine);
  if ((await findProgram(machine, 'mvn')) || (await hasRegistry(machine, version))) return;
  await resolveRegistry(machine, version, undefined); // says what is missing
}

/** Finds Java and the registry, which is downloaded if necessary. @throws CliError (exit 2) without Java or Maven */
export async function findRegistryRuntime(machine: Machine, version: string): Promise<RegistryRuntime> {
  const java = await javaOf(machine);
  return { java, libraries: await resolveRegistry(machine, version, await findProgram(machine, 'mvn')) };
}

async function javaOf(machine: Machine): Promise<string> {
  const java = await findJava(machine);
  if (java !== undefined && java.major >= oldestJava) return java.file;
  const finding = java === undefined ? 'found none' : `found only Java ${java.major}`;
  throw usageError(`unable to start the schema registry: it needs Java ${oldestJava} or newer, and weir ${finding}`, {
    hints: ['set JAVA_HOME, or add java to PATH', 'or start the sandbox without --registry'],
  });
}
