import { consumerGroupDescribe } from '../../../src/kafka/protocol/wire/apis/consumer-group-describe.ts';
import { describeGroups } from '../../../src/kafka/protocol/wire/apis/describe-groups.ts';
import { rawClient } from '../../sandbox/broker/client.ts';
import type { Consuming } from '../consuming.ts';
import { names, type Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

/** The session timeout that weir requests in the classic protocol, in milliseconds. */
const classicSessionMs = 45_000;

/**
 * Checks that ended members have left the group, except for static members that ended recently and can return without a
 * rebalance. Applies to runs in which all members ended on a healthy cluster.
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
        // A member that never printed anything may have left before it joined.
        printed.length > 0 &&
        plan.group?.instanceId !== undefined &&
        clock.now() - endedAt < (sessionMs ?? 45_000) - 2_000,
    )
    .map(({ plan }) => plan.group?.instanceId);
  if (group.instanceId === undefined && left.length > 0) failures.push(`${left.length} members are still in the group`);
  const missing = expected.filter((id) => !left.includes(id));
  if (missing.length > 0) failures.push(`the static member ${missing[0]} is no longer in the group`);
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
