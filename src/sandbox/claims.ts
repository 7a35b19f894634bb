import { join } from 'node:path';
import { adminState } from './admin/part.ts';
import { controlPlaneState } from './cloud/part.ts';
import { partOf, sandboxDirectory } from './directories.ts';
import { kafkaState } from './kafka/state.ts';
import { withLock } from './lock.ts';
import type { Machine } from './machine.ts';
import { registryState } from './registry/part.ts';

/** The ports of all sandboxes, running or not, each with the name of its sandbox. */
export type Claims = ReadonlyMap<number, string>;

/** Reads the ports that sandboxes have recorded. A sandbox whose state cannot be read claims none. */
export async function readClaims(machine: Machine, names: readonly string[]): Promise<Claims> {
  const claims = new Map<number, string>();
  for (const name of names) {
    const directory = join(sandboxDirectory(machine), name);
    const kafka = await kafkaState.read(partOf(directory, 'kafka')).catch(() => undefined);
    const cloud = await controlPlaneState.read(partOf(directory, 'cloud')).catch(() => undefined);
    const registry = await registryState.read(partOf(directory, 'registry')).catch(() => undefined);
    const admin = await adminState.read(partOf(directory, 'admin')).catch(() => undefined);
    const ports = (kafka?.brokers ?? []).flatMap((one) => [one.port, one.internalPort, one.controllerPort]);
    for (const port of [...ports, cloud?.port ?? 0, registry?.port ?? 0, admin?.port ?? 0])
      if (port !== 0) claims.set(port, name);
  }
  return claims;
}

/**
 * Runs `work`, which chooses ports and records them, while no other sandbox chooses: a chosen port looks free until its
 * broker listens.
 */
export function whileChoosingPorts<T>(machine: Machine, work: () => Promise<T>): Promise<T> {
  // The period keeps the lock apart from those of sandboxes, whose names start with a letter.
  return withLock(join(sandboxDirectory(machine), '.ports'), machine.lockWait, work);
}
