import { pbkdf2Sync } from 'node:crypto';
import { creationOf } from '../../../src/kafka/cluster/access/acls.ts';
import { scramMechanismCode } from '../../../src/kafka/cluster/access/scram-words.ts';
import { alterUserScramCredentials } from '../../../src/kafka/protocol/wire/apis/alter-user-scram-credentials.ts';
import { createAcls } from '../../../src/kafka/protocol/wire/apis/create-acls.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import { run, type World } from '../../world.ts';

/** The shared broker as the user of a listener without authentication, who may do everything. */
export function adminWorld(): World {
  return { env: { WEIR_BROKERS: services().plaintext } };
}

const pass = 'without-rights';
const salt = Buffer.from('salt of a user without rights');
const iterations = 4_096;

/**
 * The same broker as a new user, who may do nothing with the cluster, nor with topics and transactional ids whose names
 * begin with `prefix`. Everyone else may: other tests on the broker do not notice.
 */
export async function limitedWorld(prefix: string): Promise<World> {
  const user = `${prefix}-limited`;
  const principal = `User:${user}`;
  await using client = clientOf([services().plaintext]);
  const saltedPassword = pbkdf2Sync(pass, salt, iterations, 32, 'sha256');
  const { results: users } = await client.request(alterUserScramCredentials, {
    deletions: [],
    upsertions: [{ name: user, mechanism: scramMechanismCode('SCRAM-SHA-256'), iterations, salt, saltedPassword }],
  });
  const cluster = {
    resource_type: 'CLUSTER',
    resource_name: 'kafka-cluster',
    resource_pattern_type: 'LITERAL',
  } as const;
  const prefixed = { resource_name: prefix, resource_pattern_type: 'PREFIXED' } as const;
  const all = { host: '*', operation: 'ALL' } as const;
  const { results } = await client.request(createAcls, {
    creations: [
      { ...cluster, ...all, principal: 'User:*', permission: 'ALLOW' },
      { ...cluster, ...all, principal, permission: 'DENY' },
      { ...prefixed, ...all, resource_type: 'TOPIC', principal, permission: 'DENY' },
      { ...prefixed, ...all, resource_type: 'TRANSACTIONAL_ID', principal, permission: 'DENY' },
    ].map(creationOf),
  });
  const failed = [...users, ...results].find(({ errorCode }) => errorCode !== 0);
  if (failed !== undefined) throw new Error(`the broker answered with code ${failed.errorCode}`);
  const world = {
    env: { WEIR_BROKERS: services().sasl, WEIR_USER: user, WEIR_PASS: pass, WEIR_SASL_MECHANISM: 'SCRAM-SHA-256' },
  };
  await untilDenied(world);
  return world;
}

/** Waits until the broker has learned of the user and of what it may not do. */
async function untilDenied(world: World): Promise<void> {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const { stdout } = await run('cluster logdirs describe --aggregate-into broker', world);
    if (stdout.includes('CLUSTER_AUTHORIZATION_FAILED')) return;
  }
  throw new Error('the user is not denied anything');
}
