import { createWriter, type Writer } from '../../../src/kafka/protocol/codec.ts';
import type { ScriptedBroker } from '../../services/scripted-broker.ts';

/** What a scripted broker reports about the topic `foo`. */
export interface ToldTopic {
  /** The leader of each partition; -1: none. */
  readonly leaders: readonly number[];
  readonly errorCode?: number;
  /** The leader epoch of every partition. */
  readonly epoch?: number;
  /** Of every partition, all of them in sync. */
  readonly replicas?: readonly number[];
}

/** The bytes of an answer in the fixed or the flexible layout. */
export function bytesOf(flexible: boolean, write: (writer: Writer) => void): Buffer {
  const writer = createWriter(flexible);
  write(writer);
  return writer.finish();
}

/** Metadata v9: the brokers, numbered from 1, and the topic `foo`. */
export function topicAnswer(
  brokers: readonly Pick<ScriptedBroker, 'address'>[],
  { leaders, errorCode = 0, epoch = 2, replicas = [] }: ToldTopic,
): Buffer {
  return bytesOf(true, (writer) => {
    writer.int32(0);
    writer.array([...brokers.entries()], ([at, { address }]) => {
      writer.int32(at + 1);
      writer.string(address.host);
      writer.int32(address.port);
      writer.nullableString(undefined);
      writer.tags();
    });
    writer.nullableString('scripted');
    writer.int32(1);
    writer.array(['foo'], (name) => {
      writer.int16(errorCode);
      writer.string(name);
      writer.boolean(false);
      writer.array([...leaders.entries()], ([partition, leader]) => {
        writer.int16(leader < 0 ? 5 : 0);
        writer.int32(partition);
        writer.int32(leader);
        writer.int32(epoch);
        for (const list of [replicas, replicas, []]) writer.array(list, (id) => writer.int32(id));
        writer.tags();
      });
      writer.int32(0);
      writer.tags();
    });
    writer.int32(0);
    writer.tags();
  });
}
