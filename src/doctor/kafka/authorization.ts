import { CliError, exitCodes } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { operationsIn } from '../../kafka/cluster/access/acl-words.ts';
import { aboutTopics } from '../../kafka/protocol/client/cluster-metadata.ts';
import type { OpenConnection } from '../../kafka/protocol/transport/connection.ts';
import { describeCluster } from '../../kafka/protocol/wire/apis/describe-cluster.ts';
import { metadata } from '../../kafka/protocol/wire/apis/metadata.ts';
import type { Chain, StepResult } from '../chain.ts';
import { connectionOf } from './cluster.ts';

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
