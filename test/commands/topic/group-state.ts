import type { Client } from '../../../src/kafka/client/client.ts';
import { decodeAssignment } from '../../../src/kafka/groups/subscription.ts';
import type { Api } from '../../../src/kafka/protocol/api.ts';

interface Described {
  readonly state: string;
  /** Members that have partitions. */
  readonly busy: number;
  readonly members: readonly string[];
}

/** DescribeGroups v2, enough to see a rebalance settle. Replace it with the product's own when there is one. */
const describeGroups: Api<{ readonly group: string }, Described> = {
  name: 'DescribeGroups',
  key: 15,
  min: 2,
  max: 2,
  flexibleFrom: 5,
  target: ({ group }) => ({ group }),
  repeatable: true,
  encode: (writer, { group }) => writer.array([group], (item) => writer.string(item)),
  decode(reader) {
    const throttleMs = reader.int32();
    const [described] = reader.array(() => {
      reader.int16();
      reader.string();
      const state = reader.string();
      reader.string();
      reader.string();
      const shares = reader.array(() => {
        const memberId = reader.string();
        reader.string();
        reader.string();
        reader.bytes();
        return { memberId, share: decodeAssignment(reader.bytes()) };
      });
      const busy = shares.filter(({ share }) => share.length > 0).length;
      return { state, busy, members: shares.map(({ memberId }) => memberId) };
    });
    return { throttleMs, ...(described ?? { state: '', busy: 0, members: [] }) };
  },
};

/** For example `Stable 2`: the state of a group, and how many of its members have partitions. */
export async function describeGroupState(client: Client, group: string): Promise<string> {
  const { state, busy } = await client.request(describeGroups, { group }, { group });
  return `${state} ${busy}`;
}

/** The ids of a group's members. */
export async function describeGroupMembers(client: Client, group: string): Promise<readonly string[]> {
  return (await client.request(describeGroups, { group }, { group })).members;
}
