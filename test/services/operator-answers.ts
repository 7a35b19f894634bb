import { createWriter, type Writer } from '../../src/kafka/protocol/codec.ts';
import { type AnnouncedRange, versionsAnswer } from './scripted-answers.ts';
import type { Arrival, Script } from './scripted-broker.ts';

/** The APIs of operators, each in the one version of the answers below. */
const announced: readonly AnnouncedRange[] = [
  [15, 5, 5], // DescribeGroups
  [21, 2, 2], // DeleteRecords
  [27, 1, 1], // WriteTxnMarkers
  [32, 4, 4], // DescribeConfigs
  [37, 3, 3], // CreatePartitions
  [42, 2, 2], // DeleteGroups
  [43, 2, 2], // ElectLeaders
  [44, 1, 1], // IncrementalAlterConfigs
  [45, 0, 0], // AlterPartitionReassignments
  [46, 0, 0], // ListPartitionReassignments
  [47, 0, 0], // OffsetDelete
  [48, 1, 1], // DescribeClientQuotas
  [49, 1, 1], // AlterClientQuotas
  [66, 0, 0], // ListTransactions
];

/** The answer to ApiVersions of a broker with these APIs, except those in `changed`. */
export const operatorVersions = (changed: readonly AnnouncedRange[] = []): Buffer =>
  versionsAnswer([...announced, ...changed]);

type Write = (writer: Writer) => void;

/** An answer that begins with the throttle time; nothing ends a structure in an old layout. */
function answer(write: Write, flexible = true): Buffer {
  const writer = createWriter(flexible);
  writer.int32(0);
  write(writer);
  writer.tags();
  return Buffer.from(writer.finish());
}

function failure(writer: Writer, code: number, text?: string): void {
  writer.int16(code);
  writer.nullableString(text);
}

/** One structure for each row. */
function rows<Row>(writer: Writer, all: readonly Row[], each: (row: Row) => void): void {
  writer.array(all, (row) => {
    each(row);
    writer.tags();
  });
}

/** The partitions of the topic `foo`, or of another one. */
function partitions<Row>(writer: Writer, all: readonly Row[], each: (row: Row) => void, topic = 'foo'): void {
  rows(writer, [topic], (name) => {
    writer.string(name);
    rows(writer, all, each);
  });
}

/** A partition in metadata. */
export interface ToldPartition {
  readonly partition: number;
  readonly leader: number;
  readonly replicas?: readonly number[];
}

/** A topic in metadata. */
export interface ToldTopic {
  readonly name: string;
  readonly errorCode?: number;
  readonly partitions: readonly ToldPartition[];
}

/** A listener in metadata. */
export interface ToldBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** Metadata v9. */
export function clusterAnswer(
  brokers: readonly ToldBroker[],
  topics: readonly ToldTopic[],
  controller: number = brokers[0]?.id ?? -1,
): Buffer {
  return answer((writer) => {
    rows(writer, brokers, ({ id, host, port }) => {
      writer.int32(id);
      writer.string(host);
      writer.int32(port);
      writer.nullableString(undefined);
    });
    writer.nullableString('scripted');
    writer.int32(controller);
    rows(writer, topics, ({ name, errorCode = 0, partitions: own }) => {
      writer.int16(errorCode);
      writer.string(name);
      writer.boolean(false);
      rows(writer, own, ({ partition, leader, replicas = [1] }) => {
        writer.int16(leader < 0 ? 5 : 0);
        for (const number of [partition, leader, 0]) writer.int32(number);
        for (const list of [replicas, replicas, []]) writer.array(list, (id) => writer.int32(id));
      });
      writer.int32(0);
    });
    writer.int32(0);
  });
}

/** A row of an answer: what it is about, and its error code. */
export type Coded<Key> = readonly [key: Key, code: number];

/** CreatePartitions v3. */
export const grownAnswer = (all: readonly Coded<string>[]): Buffer =>
  answer((writer) =>
    rows(writer, all, ([name, code]) => {
      writer.string(name);
      failure(writer, code);
    }),
  );

/** AlterUserScramCredentials v0. */
export const alteredUsersAnswer = grownAnswer;

/** DescribeUserScramCredentials v0: each user with a SCRAM-SHA-256 credential. */
export const usersAnswer = (all: readonly Coded<string>[]): Buffer =>
  answer((writer) => {
    failure(writer, 0);
    rows(writer, all, ([user, code]) => {
      writer.string(user);
      failure(writer, code);
      rows(writer, code === 0 ? [4096] : [], (iterations) => {
        writer.int8(1);
        writer.int32(iterations);
      });
    });
  });

/** IncrementalAlterConfigs v1 for resources of a type (2: topics, 4: brokers). */
export const alteredConfigsAnswer = (all: readonly Coded<string>[], type = 2): Buffer =>
  answer((writer) =>
    rows(writer, all, ([name, code]) => {
      failure(writer, code);
      writer.int8(type);
      writer.string(name);
    }),
  );

/** DescribeConfigs v4: every resource has one config with this value; `type` as above. */
export const configsAnswer = (all: readonly Coded<string>[], value: string, type = 2, config = 'a'): Buffer =>
  answer((writer) =>
    rows(writer, all, ([name, code]) => {
      failure(writer, code);
      writer.int8(type);
      writer.string(name);
      rows(writer, [config], (key) => {
        writer.string(key);
        writer.nullableString(value);
        writer.boolean(false);
        writer.int8(type === 4 ? 2 : 1);
        writer.boolean(false);
        writer.array([], () => undefined);
        writer.int8(2);
        writer.nullableString(undefined);
      });
    }),
  );

/** DeleteRecords v2, with the new log start. */
export const trimmedAnswer = (all: readonly Coded<number>[], logStart = 5n, topic = 'foo'): Buffer =>
  answer((writer) =>
    partitions(
      writer,
      all,
      ([partition, code]) => {
        writer.int32(partition);
        writer.int64(logStart);
        writer.int16(code);
      },
      topic,
    ),
  );

/** ListOffsets v5: the same offset of every partition. */
export const offsetsAnswer = (all: readonly Coded<number>[], offset: bigint): Buffer =>
  answer(
    (writer) =>
      partitions(writer, all, ([partition, code]) => {
        writer.int32(partition);
        writer.int16(code);
        writer.int64(-1n);
        writer.int64(offset);
        writer.int32(0);
      }),
    false,
  );

/** ElectLeaders v2; `whole` is the code of the whole answer. */
export const electedAnswer = (all: readonly Coded<number>[], whole = 0): Buffer =>
  answer((writer) => {
    writer.int16(whole);
    partitions(writer, all, ([partition, code]) => {
      writer.int32(partition);
      failure(writer, code);
    });
  });

/** AlterPartitionReassignments v0; `whole` is the code of the whole answer. */
export const reassignedAnswer = (all: readonly Coded<number>[], whole = 0, text?: string): Buffer =>
  answer((writer) => {
    failure(writer, whole, text);
    partitions(writer, all, ([partition, code]) => {
      writer.int32(partition);
      failure(writer, code);
    });
  });

/** ListPartitionReassignments v0: these partitions of `foo` move from broker 1 to broker 2. */
export const ongoingAnswer = (all: readonly number[], whole = 0): Buffer =>
  answer((writer) => {
    failure(writer, whole);
    partitions(writer, all, (partition) => {
      writer.int32(partition);
      for (const list of [[1, 2], [2], [1]]) writer.array(list, (id) => writer.int32(id));
    });
  });

/** DescribeLogDirs v4: refused. */
export const noLogDirsAnswer = (): Buffer =>
  answer((writer) => {
    writer.int16(31);
    writer.array([], () => undefined);
  });

/** Whether a ListOffsets request asks where logs start. */
export const asksForStart = ({ body }: Pick<Arrival, 'body'>): boolean =>
  body.includes(Buffer.from('fffffffffffffffe', 'hex'));

/** FindCoordinator v4: one broker for all keys. */
export const coordinatorsAnswer = (keys: readonly string[], broker: ToldBroker): Buffer =>
  answer((writer) =>
    rows(writer, keys, (key) => {
      writer.string(key);
      writer.int32(broker.id);
      writer.string(broker.host);
      writer.int32(broker.port);
      failure(writer, 0);
    }),
  );

/** DescribeGroups v5: classic groups without members. */
export const groupsAnswer = (all: readonly Coded<string>[]): Buffer =>
  answer((writer) =>
    rows(writer, all, ([group, code]) => {
      writer.int16(code);
      for (const text of [group, 'Empty', 'consumer', '']) writer.string(text);
      writer.array([], () => undefined);
      writer.int32(0);
    }),
  );

/** OffsetFetch v7: the same offset of every partition. */
export const committedAnswer = (all: readonly number[], offset: bigint, whole = 0): Buffer =>
  answer((writer) => {
    partitions(writer, all, (partition) => {
      writer.int32(partition);
      writer.int64(offset);
      writer.int32(-1);
      writer.nullableString('');
      writer.int16(0);
    });
    writer.int16(whole);
  });

/** OffsetCommit v8. */
export const commitAnswer = (all: readonly Coded<number>[]): Buffer =>
  answer((writer) =>
    partitions(writer, all, ([partition, code]) => {
      writer.int32(partition);
      writer.int16(code);
    }),
  );

/** DeleteGroups v2. */
export const deletedGroupsAnswer = (all: readonly Coded<string>[]): Buffer =>
  answer((writer) =>
    rows(writer, all, ([group, code]) => {
      writer.string(group);
      writer.int16(code);
    }),
  );

/** A script of a broker that answers all of these, and ApiVersions. */
export const operatorScript = (script: Script): Script => ({ ApiVersions: operatorVersions(), ...script });
