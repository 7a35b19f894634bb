import type { Client } from '../../../src/kafka/protocol/client/client.ts';
import { describeGroups } from '../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { decodeAssignment } from '../../../src/kafka/streams/groups/subscription.ts';

async function describe(client: Client, group: string) {
  return (await client.request(describeGroups, { groups: [group] }, { group })).groups[0];
}

/** For example `Stable 2`: the state of a group, and how many of its members have partitions. */
export async function describeGroupState(client: Client, group: string): Promise<string> {
  const { groupState: state = '', members = [] } = (await describe(client, group)) ?? {};
  return `${state} ${members.filter(({ memberAssignment }) => decodeAssignment(memberAssignment).length > 0).length}`;
}

/** The ids of a group's members. */
export async function describeGroupMembers(client: Client, group: string): Promise<readonly string[]> {
  return (await describe(client, group))?.members.map(({ memberId }) => memberId) ?? [];
}
