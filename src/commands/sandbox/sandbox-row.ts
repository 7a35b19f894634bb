import { arrayOf, integerSchema, nullable, object, type Schema, string, wordOf } from '../../cli/output/schema.ts';
import { healthCell } from '../../format/style.ts';
import type { Cell } from '../../format/table.ts';
import { engineNames } from '../../sandbox/kafka/state.ts';
import type { Member } from '../../sandbox/part.ts';
import { membersOf, type Sandbox } from '../../sandbox/sandbox.ts';

/** A process or container of a sandbox, as a row. */
export interface MemberRow {
  readonly part: string;
  readonly id: number;
  readonly address: string;
  readonly state: Member['state'];
  readonly pid: number | null;
  readonly container: string | null;
  readonly log: string;
}

/** A sandbox, as a row. */
export interface SandboxRow {
  readonly name: string;
  readonly state: 'running' | 'starting' | 'partly running' | 'stopped';
  readonly engine: Sandbox['engine'];
  readonly kafka_version: string;
  /** The profile that was created for it; null without one. */
  readonly profile: string | null;
  readonly directory: string;
  readonly members: readonly MemberRow[];
}

const properties: Readonly<Record<string, Schema>> = {
  name: string,
  state: wordOf('running', 'starting', 'partly running', 'stopped'),
  engine: wordOf(...engineNames),
  kafka_version: string,
  profile: nullable(string),
  directory: string,
  members: arrayOf(
    object({
      part: string,
      id: integerSchema,
      address: string,
      state: wordOf('running', 'starting', 'stopped'),
      pid: nullable(integerSchema),
      container: nullable(string),
      log: string,
    }),
  ),
};

/** The JSON Schema of a `SandboxRow`, with the keys that a command adds, and those that may be missing. */
export function sandboxSchema(
  more: Readonly<Record<string, Schema>> = {},
  optional: Readonly<Record<string, Schema>> = {},
): Schema {
  return object({ ...properties, ...more, ...optional }, Object.keys(optional));
}

/** Reads the state of a sandbox and its processes. */
export async function sandboxRow(sandbox: Sandbox): Promise<SandboxRow> {
  const members = await membersOf(sandbox);
  return {
    name: sandbox.name,
    state: stateOf(members),
    engine: sandbox.engine,
    kafka_version: sandbox.kafkaVersion,
    profile: sandbox.profile?.name ?? null,
    directory: sandbox.directory,
    members: members.map(({ pid, container, ...member }) => ({
      ...member,
      pid: pid ?? null,
      container: container ?? null,
    })),
  };
}

function stateOf(members: readonly Member[]): SandboxRow['state'] {
  if (members.every(({ state }) => state === 'running')) return 'running';
  if (members.every(({ state }) => state === 'stopped')) return 'stopped';
  return members.some(({ state }) => state === 'stopped') ? 'partly running' : 'starting';
}

/** A state as a cell of a table. */
export function stateCell(state: SandboxRow['state']): Cell {
  return healthCell(state, state === 'running' ? 'good' : state === 'stopped' ? 'bad' : 'pending');
}

/** The addresses of a sandbox's brokers. */
export function brokersOf({ members }: SandboxRow): string {
  return addressesOf(members, 'kafka');
}

/** Whether a simulated control plane runs beside Kafka. */
export function hasControlPlane({ members }: SandboxRow): boolean {
  return members.some(({ part }) => part === 'control-plane');
}

/** Whether a schema registry runs beside Kafka. */
export function hasRegistry({ members }: SandboxRow): boolean {
  return members.some(({ part }) => part === 'registry');
}

/** Whether a simulated Admin API runs beside Kafka. */
export function hasAdmin({ members }: SandboxRow): boolean {
  return members.some(({ part }) => part === 'admin');
}

function addressesOf(members: readonly MemberRow[], part: string): string {
  return members
    .filter((member) => member.part === part)
    .map(({ address }) => address)
    .join(',');
}

/** What runs and where, as part of a sentence: `Apache Kafka 4.1.1 at 127.0.0.1:9092`. */
export function whatAndWhere(row: SandboxRow): string {
  const kafka = `${whatRuns(row)} at ${brokersOf(row)}`;
  const cloud = hasControlPlane(row) ? `, control plane at ${addressesOf(row.members, 'control-plane')}` : '';
  const registry = hasRegistry(row) ? `, schema registry at ${addressesOf(row.members, 'registry')}` : '';
  const admin = hasAdmin(row) ? `, Admin API at ${addressesOf(row.members, 'admin')}` : '';
  return `${kafka}${cloud}${registry}${admin}`;
}

/** The version of Kafka, and whether it is only simulated. */
export function versionOf({ engine, kafka_version: version }: SandboxRow): string {
  return engine === 'simulated' ? `${version} (simulated)` : version;
}

function whatRuns({ engine, kafka_version: version }: SandboxRow): string {
  return engine === 'simulated' ? `simulated Kafka ${version} (in memory)` : `Apache Kafka ${version}`;
}
