import {
  aclsAnswer,
  alteredQuotasAnswer,
  createdAclsAnswer,
  deletedAclsAnswer,
  deletedOffsetsAnswer,
  markersAnswer,
  noTransactionsAnswer,
  producersAnswer,
  quotasAnswer,
} from '../services/access-answers.ts';
import {
  alteredConfigsAnswer,
  alteredUsersAnswer,
  clusterAnswer,
  commitAnswer,
  committedAnswer,
  configsAnswer,
  coordinatorsAnswer,
  deletedGroupsAnswer,
  electedAnswer,
  groupsAnswer,
  grownAnswer,
  offsetsAnswer,
  ongoingAnswer,
  operatorScript,
  reassignedAnswer,
  type ToldPartition,
  trimmedAnswer,
  usersAnswer,
} from '../services/operator-answers.ts';
import { type Reaction, type Script, type ScriptedBroker, startScriptedBroker } from '../services/scripted-broker.ts';
import { run } from '../world.ts';

/** A command, the API that it changes the cluster with, and that API's answer with a code. */
export interface Scene {
  readonly line: string;
  readonly api: string;
  /** The code that says that the role is elsewhere, or not ready. */
  readonly codes: readonly number[];
  /** The answer with a row for each code, all of them for the same item; `whole` is the code of the whole answer. */
  readonly answer: (codes: readonly number[], whole?: number) => Buffer;
  /** Whether the code belongs to the whole answer. */
  readonly isWhole?: boolean;
  readonly script?: Script;
  readonly stdin?: string;
  readonly partition?: Partial<ToldPartition>;
}

const [notLeader, coordinatorLoads, notCoordinator, notController] = [6, 14, 16, 41];
const placement = '{"partitions": [{"topic": "foo", "partition": 0, "replicas": [2]}]}';

/** The commands that change a cluster. */
export const scenes: readonly Scene[] = [
  {
    line: 'topic alter-config foo --set a=2',
    api: 'IncrementalAlterConfigs',
    codes: [notController],
    answer: (codes) => alteredConfigsAnswer(each('foo', codes)),
    script: { DescribeConfigs: ({ before }) => configsAnswer([['foo', 0]], before === 0 ? '1' : '2') },
  },
  {
    line: 'topic add-partitions foo -n 1 --yes',
    api: 'CreatePartitions',
    codes: [notController],
    answer: (codes) => grownAnswer(each('foo', codes)),
  },
  {
    line: 'topic trim-prefix foo -o 5 --yes',
    api: 'DeleteRecords',
    codes: [notLeader],
    answer: (codes) => trimmedAnswer(each(0, codes)),
    script: { ListOffsets: ({ before }) => offsetsAnswer([[0, 0]], before % 2 === 0 ? 0n : 9n) },
  },
  {
    line: 'topic elect-leaders foo --yes',
    api: 'ElectLeaders',
    codes: [notController],
    answer: (codes, whole) => electedAnswer(each(0, codes), whole),
    isWhole: true,
    partition: { replicas: [2, 1] },
  },
  {
    line: 'topic reassign execute - --yes',
    api: 'AlterPartitionReassignments',
    codes: [notController],
    answer: (codes, whole) => reassignedAnswer(each(0, codes), whole),
    isWhole: true,
    script: { ListPartitionReassignments: ongoingAnswer([]) },
    stdin: placement,
  },
  {
    line: 'group seek g --to start --yes',
    api: 'OffsetCommit',
    codes: [coordinatorLoads, notCoordinator],
    answer: (codes) => commitAnswer(each(0, codes)),
  },
  {
    line: 'group delete g --yes',
    api: 'DeleteGroups',
    codes: [coordinatorLoads, notCoordinator],
    answer: (codes) => deletedGroupsAnswer(each('g', codes)),
  },
  {
    line: 'group offset-delete g --topic foo:0 --yes',
    api: 'OffsetDelete',
    codes: [coordinatorLoads, notCoordinator],
    answer: (codes, whole) => deletedOffsetsAnswer(each(0, codes), whole),
    isWhole: true,
  },
  {
    line: 'security user create ana --password-stdin --mechanism SCRAM-SHA-256',
    api: 'AlterUserScramCredentials',
    codes: [notController],
    answer: (codes) => alteredUsersAnswer(each('ana', codes)),
    script: { DescribeUserScramCredentials: ({ before }) => usersAnswer([['ana', before === 0 ? 91 : 0]]) },
    stdin: 'secret\n',
  },
  {
    line: 'security user delete ana --yes',
    api: 'AlterUserScramCredentials',
    codes: [notController],
    answer: (codes) => alteredUsersAnswer(each('ana', codes)),
    script: { DescribeUserScramCredentials: ({ before }) => usersAnswer([['ana', before < 2 ? 0 : 91]]) },
  },
  {
    line: 'security acl create --allow-principal ana --operation read --topic foo',
    api: 'CreateAcls',
    codes: [notController],
    answer: createdAclsAnswer,
    script: { DescribeAcls: ({ before }) => aclsAnswer(before === 0 ? [] : ['ana']) },
  },
  {
    line: 'security acl delete --allow-principal ana --operation read --topic foo --yes',
    api: 'DeleteAcls',
    codes: [notController],
    answer: (codes) => deletedAclsAnswer(codes.map((code) => ({ code, matches: code === 0 ? [['ana', 0]] : [] }))),
    script: { DescribeAcls: ({ before }) => aclsAnswer(before === 0 ? ['ana'] : []) },
  },
  {
    line: 'cluster quotas alter --name user=ana --add producer_byte_rate=5',
    api: 'AlterClientQuotas',
    codes: [notController],
    answer: (codes) => alteredQuotasAnswer(each('ana', codes)),
    script: { DescribeClientQuotas: ({ before }) => quotasAnswer([['ana', before === 0 ? 4 : 5]]) },
  },
  {
    line: 'cluster config set a 2 --broker 1 --yes',
    api: 'IncrementalAlterConfigs',
    codes: [notController],
    answer: (codes) => alteredConfigsAnswer(each('1', codes), 4),
    script: { DescribeConfigs: ({ before }) => configsAnswer([['1', 0]], before === 0 ? '1' : '2', 4) },
  },
  {
    line: 'cluster txn abort foo -p 0 --producer-id 9 --yes',
    api: 'WriteTxnMarkers',
    codes: [notLeader],
    answer: (codes) => markersAnswer(each(9n, codes)),
    script: { DescribeProducers: producersAnswer([9n]), ListTransactions: noTransactionsAnswer() },
  },
];

function each<Key>(key: Key, codes: readonly number[]): readonly (readonly [Key, number])[] {
  return codes.map((code) => [key, code] as const);
}

/** The answer of a scene about its only item. */
export function coded({ answer, isWhole = false }: Scene, code: number): Buffer {
  return isWhole && code !== 0 ? answer([], code) : answer([code]);
}

/** Runs a command against one broker, with these reactions to its changing API; the last one is repeated. */
export async function act(
  { line, api, script = {}, stdin = '', partition = {} }: Omit<Scene, 'codes' | 'answer'>,
  reactions: readonly Reaction[],
) {
  const broker: ScriptedBroker = await startScriptedBroker(
    operatorScript({
      Metadata: () => clusterAnswer([self(), { ...self(), id: 2 }], [topic], 1),
      FindCoordinator: () => coordinatorsAnswer(['g'], self()),
      DescribeGroups: groupsAnswer([['g', 0]]),
      OffsetFetch: committedAnswer([0], 7n),
      ListOffsets: offsetsAnswer([[0, 0]], 0n),
      ...script,
      [api]: reactions,
    }),
  );
  const self = () => ({ id: 1, ...broker.address });
  const topic = { name: 'foo', partitions: [{ partition: 0, leader: 1, ...partition }] };
  const outcome = await run(line, {
    stdin,
    env: { WEIR_BROKERS: `127.0.0.1:${broker.address.port}`, WEIR_GLOBALS_RETRY_TIMEOUT: '2s' },
  });
  await broker.close();
  return { ...outcome, sent: broker.of(api).length };
}
