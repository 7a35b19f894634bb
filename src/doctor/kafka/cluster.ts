import { CliError, exitCodes } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { operationsIn } from '../../kafka/cluster/access/acl-words.ts';
import type { ClusterMetadata } from '../../kafka/protocol/client/client.ts';
import { aboutTopics, clusterOf } from '../../kafka/protocol/client/cluster-metadata.ts';
import { kafkaError, kafkaErrorText } from '../../kafka/protocol/errors.ts';
import type { OpenConnection } from '../../kafka/protocol/transport/connection.ts';
import { describeCluster } from '../../kafka/protocol/wire/apis/describe-cluster.ts';
import { metadata } from '../../kafka/protocol/wire/apis/metadata.ts';
import type { Chain, StepResult } from '../chain.ts';

/** Reads the brokers and the controller from a broker. */
export function checkMetadata(
  chain: Chain,
  connection: OpenConnection | undefined,
): Promise<ClusterMetadata | undefined> {
  return chain.run('metadata', async (): Promise<StepResult<ClusterMetadata>> => {
    const answer = await connectionOf(connection).send(metadata, aboutTopics([]));
    if (answer.errorCode !== 0)
      throw kafkaError(answer.errorCode, `unable to read the metadata: ${kafkaErrorText(answer.errorCode)}`);
    const value = clusterOf(answer);
    if (answer.brokers.length === 0) throw withoutBrokers();
    const brokers = answer.brokers.length === 1 ? '1 broker' : `${answer.brokers.length} brokers`;
    const detail = `cluster ${answer.clusterId ?? '-'}, ${brokers}`;
    if (answer.controllerId >= 0) return { value, detail: `${detail}, controller ${answer.controllerId}` };
    return {
      value,
      detail: `${detail}, no controller`,
      warning: ['see what is wrong with: weir cluster health'],
    };
  });
}

function withoutBrokers(): CliError {
  return new CliError(exitCodes.unreachable, 'the broker knows no brokers of its cluster', {
    code: 'NO_BROKERS',
    hints: ['wait until the cluster has started', 'see its state with: weir cluster health'],
  });
}

/** The connection of a step that runs only if there is one. */
function connectionOf(connection: OpenConnection | undefined): OpenConnection {
  if (connection === undefined) throw new Error('a step without a connection was not skipped');
  return connection;
}

/** The error of an address that belongs to another cluster than the first seed broker. */
export function otherCluster(metadata: ClusterMetadata, first: ClusterMetadata, seed: string): CliError {
  const message = `cluster ${metadata.clusterId ?? '-'}, but seed broker ${seed} belongs to cluster ${first.clusterId ?? '-'}`;
  return new CliError(exitCodes.conflict, message, {
    code: 'OTHER_CLUSTER',
    hints: ['check which addresses and port forwards belong to the cluster'],
  });
}

/** Whether two answers come from different clusters; brokers that report no cluster id are not compared. */
export function isOther(metadata: ClusterMetadata, first: ClusterMetadata): boolean {
  return metadata.clusterId !== undefined && first.clusterId !== undefined && metadata.clusterId !== first.clusterId;
}

/** What a broker reports instead of operations if it does not say. */
const notReported = -(2 ** 31);

/**
 * Checks that the principal may do anything at all: that it sees a topic, or has rights on the cluster.
 * @param user the SASL user; undefined without SASL
 */
export async function checkAuthorization(
  chain: Chain,
  connection: OpenConnection | undefined,
  user: string | undefined,
): Promise<void> {
  await chain.run('authorization', async (): Promise<StepResult<undefined>> => {
    const opened = connectionOf(connection);
    const [operations, { topics }] = await Promise.all([
      clusterOperations(opened),
      opened.send(metadata, aboutTopics(undefined)),
    ]);
    const who = user === undefined ? 'the principal' : `user "${user}"`;
    if (topics.length === 0 && operations?.length === 0) throw withoutRights(who, user);
    const seen = topics.length === 1 ? '1 topic' : `${topics.length || 'no'} topics`;
    const rights = operations === undefined ? 'not reported' : operations.join(', ') || 'none';
    return { value: undefined, detail: `${who} sees ${seen}; rights on the cluster: ${rights}` };
  });
}

/** The operations on the cluster; undefined if the broker does not report them. */
async function clusterOperations(connection: OpenConnection): Promise<readonly string[] | undefined> {
  try {
    connection.version(describeCluster);
  } catch {
    return undefined; // a broker without this API
  }
  const answer = await connection.send(describeCluster, { includeClusterAuthorizedOperations: true });
  const bits = answer.clusterAuthorizedOperations;
  return answer.errorCode !== 0 || bits === notReported ? undefined : operationsIn(bits);
}

function withoutRights(who: string, user: string | undefined): CliError {
  const principal = user === undefined ? 'NAME' : user;
  return new CliError(exitCodes.auth, `${who} sees no topic and has no rights on the cluster`, {
    code: 'NO_RIGHTS',
    hints: [
      commandText`see what applies: weir security acl list --allow-principal ${principal}`,
      commandText`allow something: weir security acl create --allow-principal ${principal} --operation read --topic TOPIC`,
    ],
  });
}
