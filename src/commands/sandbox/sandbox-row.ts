import { healthCell } from '../../format/style.ts';
import type { Cell } from '../../format/table.ts';
import { flavourNames } from '../../sandbox/broker/settings.ts';
import { engineNames } from '../../sandbox/kafka/state.ts';
import type { Member } from '../../sandbox/part.ts';
import { membersOf, type Sandbox } from '../../sandbox/sandbox.ts';
import { described, listOf, maybe, type RowOf, row, string, whole, word } from '../../shape/shape.ts';

/** A sandbox with its processes or containers. */
export const SandboxRow = row({
  name: string,
  state: word('running', 'starting', 'partly running', 'stopped'),
  engine: word(...engineNames),
  flavour: described(word(...flavourNames), 'what the brokers are, or imitate if they are simulated'),
  kafka_version: described(string, 'or that of Redpanda, with its flavour'),
  profile: described(maybe(string), 'the profile that was created for it'),
  directory: string,
  members: listOf(
    row({
      part: string,
      id: whole,
      address: string,
      state: word('running', 'starting', 'stopped'),
      pid: maybe(whole),
      container: maybe(string),
      log: string,
    }),
  ),
});
export type SandboxRow = RowOf<typeof SandboxRow>;

/** Reads the state of a sandbox and its processes. */
export async function sandboxRow(sandbox: Sandbox): Promise<SandboxRow> {
  const members = await membersOf(sandbox);
  return {
    name: sandbox.name,
    state: stateOf(members),
    engine: sandbox.engine,
    flavour: sandbox.flavour,
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

function addressesOf(members: SandboxRow['members'], part: string): string {
  return members
    .filter((member) => member.part === part)
    .map(({ address }) => address)
    .join(',');
}

/** What runs and where, as part of a sentence: `Apache Kafka 4.1.1 at 127.0.0.1:9092`. */
export function whatAndWhere(row: SandboxRow): string {
  const kafka = `${whatRuns(row)} at ${brokersOf(row)}`;
  const cloud = hasControlPlane(row) ? `, control plane at ${addressesOf(row.members, 'control-plane')}` : '';
  const registry = hasRegistry(row)
    ? `, schema registry at http://${addressesOf(row.members, 'registry')}/apis/ccompat/v7`
    : '';
  const admin = hasAdmin(row) ? `, Admin API at ${addressesOf(row.members, 'admin')}` : '';
  return `${kafka}${cloud}${registry}${admin}`;
}

/** The version of Kafka, and whether it is only simulated. */
export function versionOf({ engine, flavour, kafka_version: version }: SandboxRow): string {
  const name = flavour === 'redpanda' ? 'Redpanda ' : '';
  return engine === 'simulated' ? `${name}${version} (simulated)` : version;
}

function whatRuns({ engine, flavour, kafka_version: version }: SandboxRow): string {
  const name = flavour === 'redpanda' ? 'Redpanda' : 'Kafka';
  return engine === 'simulated' ? `simulated ${name} ${version} (in memory)` : `Apache Kafka ${version}`;
}
