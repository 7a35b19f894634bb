import { randomBytes } from 'node:crypto';
import type { Acl } from '../../../src/kafka/cluster/access/acl-rows.ts';
import { creationOf } from '../../../src/kafka/cluster/access/acls.ts';
import { createAcls } from '../../../src/kafka/protocol/wire/apis/create-acls.ts';
import { clientOf } from '../../services/scripted-client.ts';
import { services } from '../../services/services.ts';
import type { World } from '../../world.ts';
import { loggedIn, must } from './people.ts';

/** `topic read`: an operation on the cluster, or on the topic, the group or the transactional id of a case. */
export type Grant = `${'cluster' | 'topic' | 'group' | 'transactional_id'} ${string}`;

/** A user who may do nothing but this. */
export interface Granted {
  readonly grants: readonly Grant[];
  /** The name of the topic, the group and the transactional id. */
  readonly resource: string;
}

const clusterOperations = [
  'CREATE',
  'DELETE',
  'ALTER',
  'DESCRIBE',
  'CLUSTER_ACTION',
  'DESCRIBE_CONFIGS',
  'ALTER_CONFIGS',
  'IDEMPOTENT_WRITE',
];
const includes: Readonly<Record<string, string>> = { ALTER: 'DESCRIBE', ALTER_CONFIGS: 'DESCRIBE_CONFIGS' };

/**
 * Makes users who may do only what is granted, as far as resources are concerned whose names begin with `prefix`, and
 * the cluster. Nobody else may use those resources, except superusers; other tests on the broker do not notice.
 * @returns their worlds, in order, when the broker knows all of them
 */
export async function usersWith(prefix: string, granted: readonly Granted[]): Promise<readonly World[]> {
  const users = granted.map((_, at) => `${prefix}-user-${at}`);
  const pass = randomBytes(9).toString('hex');
  const acls = [
    acl('CLUSTER', 'kafka-cluster', 'ALL', '*', 'ALLOW'),
    ...['TOPIC', 'GROUP', 'TRANSACTIONAL_ID'].map((type) => ({
      ...acl(type, prefix, 'ALL', `${prefix}-nobody`, 'ALLOW'),
      resource_pattern_type: 'PREFIXED',
    })),
    ...granted.flatMap((one, at) => aclsOf(one, String(users[at]))),
  ];
  await using client = clientOf([services().plaintext]);
  const { results } = await client.request(createAcls, { creations: acls.map(creationOf) });
  const failed = results.find(({ errorCode }) => errorCode !== 0);
  if (failed !== undefined) throw new Error(`the broker answered with code ${failed.errorCode}`);
  await Promise.all(users.map((user) => must(`security user create ${user} --password-stdin`, { stdin: pass })));
  return users.map((user) => loggedIn(user, pass));
}

function aclsOf({ grants, resource }: Granted, user: string): readonly Acl[] {
  const pairs = grants.map((grant) => grant.toUpperCase().split(' ') as [string, string]);
  const ofCluster = pairs.filter(([type]) => type === 'CLUSTER').map(([, operation]) => operation);
  const allowed = new Set([...ofCluster, ...ofCluster.map((operation) => includes[operation])]);
  return [
    // Everyone may do everything with the cluster, so the rest is denied.
    ...clusterOperations
      .filter((operation) => !allowed.has(operation))
      .map((operation) => acl('CLUSTER', 'kafka-cluster', operation, user, 'DENY')),
    ...pairs
      .filter(([type]) => type !== 'CLUSTER')
      .map(([type, operation]) => ({
        ...acl(type, resource, operation, user, 'ALLOW'),
        // Some commands make transactional ids that begin with a name.
        ...(type === 'TRANSACTIONAL_ID' ? { resource_pattern_type: 'PREFIXED' } : {}),
      })),
  ];
}

function acl(
  ...[resource_type, resource_name, operation, user, permission]: readonly [string, string, string, string, string]
): Acl {
  const resource = { resource_type, resource_name, resource_pattern_type: 'LITERAL' };
  return { ...resource, principal: `User:${user}`, host: '*', operation, permission };
}
