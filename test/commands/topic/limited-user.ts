import { createAcls } from '../../../src/kafka/protocol/create-acls.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import type { World } from '../../world.ts';

/** Denies a user everything on a topic, and returns the world of that user. */
export async function limitedUser(topic: string): Promise<World> {
  const { plaintext, sasl, otherUser } = services();
  await using client = clientOf([plaintext]);
  const pattern = { resourceType: 'TOPIC', resourceName: topic, patternType: 'LITERAL' };
  const principal = { principal: `User:${otherUser.user}`, host: '*' };
  const acl = { ...pattern, ...principal, operation: 'ALL', permission: 'DENY' };
  const { results } = await client.request(createAcls, { acls: [acl] });
  if (results[0]?.errorCode !== 0) throw new Error(`error code ${results[0]?.errorCode}`);
  return {
    env: {
      WEIR_BROKERS: sasl,
      WEIR_USER: otherUser.user,
      WEIR_PASS: otherUser.pass,
      WEIR_SASL_MECHANISM: 'SCRAM-SHA-256',
    },
  };
}
