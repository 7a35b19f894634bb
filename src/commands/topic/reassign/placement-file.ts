import { readYamlData } from '../../../config/yaml/yaml-data.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import type { Placed } from '../../../kafka/cluster/topics/reassignment/placement.ts';
import { maxInt32 } from '../../../kinds.ts';
import { fieldsOf } from '../../../shape/object.ts';
import { nameOfFile, readTextFile } from '../../text-file.ts';

/** The file of Kafka's own tool (kafka-reassign-partitions) that puts partitions where `placed` says. */
export function placementFile(placed: readonly Placed[]): string {
  const lines = placed.map(({ topic, partition, replicas }) => `    ${JSON.stringify({ topic, partition, replicas })}`);
  return `{\n  "version": 1,\n  "partitions": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** For a file that is no plan at all, such as the table that `topic reassign plan` prints. */
const noPlanHints: readonly string[] = ['write a plan to a file with: weir topic reassign plan TOPIC --out FILE'];

/**
 * Reads a file of Kafka's own tool, or what `topic reassign plan` prints, in JSON or YAML; `-` is standard input.
 * @throws CliError (exit 2) with the place in the file, or when it does not exist; exit 1 when it cannot be read
 */
export async function readPlacementFile(context: Context, file: string): Promise<readonly Placed[]> {
  const name = nameOfFile(file);
  const data = await readYamlData(name, await readTextFile(context, file));
  const fault = (what: string, hints?: readonly string[]): Error =>
    usageError(`unable to use ${name}: ${what}`, { target: 'FILE', ...(hints && { hints }) });
  const { version, partitions } = Array.isArray(data) ? { version: 1, partitions: data.map(fromPlan) } : fieldsOf(data);
  if (version !== undefined && version !== 1) throw fault(`its version is ${JSON.stringify(version)}, not 1`);
  if (!Array.isArray(partitions)) throw fault('it has no list of partitions', noPlanHints);
  if (partitions.length === 0) throw fault('it names no partition');
  const seen = new Set<string>();
  return partitions.map((item: unknown, at) => {
    const placed = placedIn(item, (what) => fault(`item ${at + 1} of the partitions: ${what}`));
    const key = `topic ${placed.topic} partition ${placed.partition}`;
    if (seen.has(key)) throw fault(`it names ${key} twice`);
    seen.add(key);
    return placed;
  });
}

/** A row of `topic reassign plan`. Other lists of partitions have `replicas` that are not a target. */
function fromPlan(row: unknown): unknown {
  const { topic, partition, new_replicas: replicas } = fieldsOf(row);
  return { topic, partition, replicas };
}

function placedIn(item: unknown, fault: (what: string) => Error): Placed {
  const { topic, partition, replicas, log_dirs: dirs } = fieldsOf(item);
  if (typeof topic !== 'string' || topic === '') throw fault('the topic is missing');
  if (!isId(partition)) throw fault('the partition is not a whole number');
  if (!Array.isArray(replicas) || !replicas.every(isId)) throw fault('the replicas are not a list of broker ids');
  if (replicas.length === 0) throw fault('the list of replicas is empty');
  if (new Set(replicas).size < replicas.length) throw fault('the list of replicas names a broker twice');
  if (Array.isArray(dirs) && dirs.some((dir) => dir !== 'any'))
    throw fault('moves between log directories are not supported; use "any" in log_dirs');
  return { topic, partition, replicas };
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxInt32;
}
