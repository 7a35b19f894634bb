import { consumerGroupDescribe } from '../../../src/sandbox/broker/apis/consumer-group-describe.ts';
import { describeGroups } from '../../../src/sandbox/broker/apis/describe-groups.ts';
import { rawClient } from '../../sandbox/broker/client.ts';
import type { Consuming } from '../consuming.ts';
import { names, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

/** Sessions of the classic protocol, in milliseconds: what weir asks for. */
const classicSessionMs = 45_000;

/**
 * Members that have ended are not in the group any more; static members that have just ended are, so that they can come
 * back without a rebalance. For a run in which all members have ended on a cluster that was well.
 */
export async function checkMembership(
  world: World,
  { settings }: Scenario,
  members: readonly Consuming[],
  failures: string[],
): Promise<void> {
  const [group] = members.flatMap(({ plan }) => plan.group ?? []);
  const coordinator = world.cluster.control.coordinatorOf('group', names.group);
  if (group === undefined || coordinator === undefined) return;
  const left = await membersOf(world, coordinator, group.protocol === 'consumer');
  const sessionMs = group.protocol === 'consumer' ? settings.consumerSessionTimeoutMs : classicSessionMs;
  const { clock } = world;
  const expected = members
    .filter(
      ({ plan, endedAt, printed }) =>
        // One that never printed anything may have left before it came in.
        printed.length > 0 &&
        plan.group?.instanceId !== undefined &&
        clock.now() - endedAt < (sessionMs ?? 45_000) - 2_000,
    )
    .map(({ plan }) => plan.group?.instanceId);
  if (group.instanceId === undefined && left.length > 0) failures.push(`${left.length} members are still in the group`);
  const missing = expected.filter((id) => !left.includes(id));
  if (missing.length > 0) failures.push(`the static member ${missing[0]} is not in the group any more`);
}

async function membersOf(world: World, broker: number, isConsumer: boolean): Promise<readonly (string | undefined)[]> {
  const client = rawClient(world.cluster, broker);
  try {
    if (isConsumer) {
      const request = { groupIds: [names.group], includeAuthorizedOperations: false };
      const { groups } = await client.ask(consumerGroupDescribe, request);
      return (groups[0]?.members ?? []).map(({ instanceId }) => instanceId);
    }
    const { groups } = await client.ask(describeGroups, { groups: [names.group], includeAuthorizedOperations: false });
    return (groups[0]?.members ?? []).map(({ groupInstanceId }) => groupInstanceId);
  } finally {
    client.close();
  }
}
