import type { LoggedRecord } from '../../../src/sandbox/broker/log/records.ts';
import { names } from '../scenario.ts';
import { partitionsOf, type World } from '../world.ts';

/** The committed records of every partition, markers left out. */
export type Logs = readonly (readonly LoggedRecord[])[];

/** What the leaders have now. */
export function logsOf({ cluster }: World): Logs {
  return Array.from({ length: partitionsOf(cluster, names.topic) }, (_, partition) =>
    cluster.control.log(names.topic, partition).filter(({ isControl }) => !isControl),
  );
}

/** The value of a record. */
export function textOf({ value }: LoggedRecord): string {
  return value?.toString() ?? '';
}
