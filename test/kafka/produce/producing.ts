import { Readable } from 'node:stream';
import { produce } from '../../../src/kafka/produce/produce.ts';
import type { ProduceRequest } from '../../../src/kafka/produce/request.ts';
import { compileFormat } from '../../../src/kafka/record-language/format.ts';
import { compileParser } from '../../../src/kafka/record-language/parse.ts';
import type { ScriptedBroker } from '../../services/scripted-broker.ts';
import { clientOf } from '../../services/scripted-client.ts';

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
