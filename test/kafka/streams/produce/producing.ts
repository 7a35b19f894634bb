import { Readable } from 'node:stream';
import type { Client } from '../../../../src/kafka/protocol/client/client.ts';
import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { compileParser } from '../../../../src/kafka/records/language/parse.ts';
import { produce } from '../../../../src/kafka/streams/produce/produce.ts';
import type { ProduceRequest } from '../../../../src/kafka/streams/produce/request.ts';
import type { Reaction, ScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf, failureOf, type TestLimits } from '../../../services/scripted-client.ts';
import { virtualClient } from '../../../services/virtual-client.ts';
import { topicAnswer } from '../../cluster/topics/topic-answer.ts';
import { producerIdAnswer } from '../../record-answers.ts';

/** A request for the topic `foo` in which every line is a batch. */
export function requestOf(lines: readonly string[], more: Partial<ProduceRequest> = {}): ProduceRequest {
  return {
    ...{ topic: 'foo', parser: compileParser('%v\\n'), tombstones: false, key: undefined, headers: [] },
    ...{ partition: undefined, compression: 'none', acks: -1, deliveryTimeoutMs: undefined },
    // One record fills a batch.
    ...{ maxMessageBytes: 70, createMissing: false, report: compileFormat('%v@%o ') },
    ...{ onDelivered: () => undefined, warn: () => undefined },
    input: Readable.from([Buffer.from(lines.map((line) => `${line}\n`).join(''))]),
    ...more,
  };
}

/** Produces and returns what was reported. */
export async function report(broker: ScriptedBroker, request: ProduceRequest, limits: { retry?: number } = {}) {
  await using client = clientOf([broker.address], limits);
  return await reportedBy(client, request);
}

/** Produces with a client and returns what was reported. */
export async function reportedBy(client: Client, request: ProduceRequest): Promise<string> {
  const production = await produce(client, request);
  let text = '';
  await production.pump({
    write(chunk) {
      text += Buffer.from(chunk).toString();
      return undefined;
    },
  });
  return text.trim();
}

/** Produces a line in virtual time to a broker that always answers this; the error, and when it was sent. */
export async function refusedBy(onProduce: Reaction, more: Partial<ProduceRequest>, limits: TestLimits) {
  const { clock, links, client } = virtualClient(
    {
      Metadata: topicAnswer([{ address: { host: 'one', port: 9092 } }], { leaders: [1] }),
      InitProducerId: producerIdAnswer(77n),
      Produce: onProduce,
    },
    limits,
  );
  async function* input(): AsyncGenerator<Buffer> {
    yield Buffer.from('a\n');
  }
  const error = await clock.runUntil(failureOf(reportedBy(client, requestOf([], { input: input(), ...more }))));
  client.close();
  return { error, sentAt: links.of('Produce').map(({ after }) => after) };
}
