import { createAcls } from '../../../src/kafka/cluster/access/acls.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import type { World } from '../../world.ts';

/** Denies a user everything on a topic, and returns the world of that user when the broker knows. */
export async function limitedUser(topic: string): Promise<World> {
  const { plaintext, sasl, otherUser } = services();
  await using client = clientOf([plaintext]);
  const pattern = { resource_type: 'TOPIC', resource_name: topic, resource_pattern_type: 'LITERAL' };
  const principal = { principal: `User:${otherUser.user}`, host: '*' };
  const acl = { ...pattern, ...principal, operation: 'ALL', permission: 'DENY' };
  const [created] = await createAcls(client, [acl]);
  if (created?.error !== null) throw new Error(created?.error.message);
  return {
    env: {
      WEIR_BROKERS: sasl,
      WEIR_USER: otherUser.user,
      WEIR_PASS: otherUser.pass,
      WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
    },
  };
}
