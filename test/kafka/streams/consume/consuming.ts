import { compileFormat } from '../../../../src/kafka/records/language/format.ts';
import { parseOffsetRange } from '../../../../src/kafka/streams/consume/offset-words.ts';
import { consume } from '../../../../src/kafka/streams/consume/open.ts';
import type { ConsumeRequest } from '../../../../src/kafka/streams/consume/request.ts';
import type { ScriptedBroker } from '../../../services/scripted-broker.ts';
import { clientOf } from '../../../services/scripted-client.ts';

/** A request for the topic `foo`. */
export function requestOf(range: string, more: Partial<ConsumeRequest> = {}): ConsumeRequest {
  return {
    ...{ topics: ['foo'], regex: false, partitions: [], range: parseOffsetRange(range, 0) },
    ...{ limit: Number.POSITIVE_INFINITY, group: undefined, format: compileFormat('%o=%v ') },
    ...{ readCommitted: false, printControl: false, fetchMaxBytes: 1 << 20, fetchMaxPartitionBytes: 1 << 20 },
    ...{ fetchMaxWaitMs: 100, rack: '', warn: () => undefined, onPrinted: () => undefined },
    ...more,
  };
}

/** Reads and returns what was printed; closes the brokers. */
export async function read(
  brokers: readonly ScriptedBroker[],
  request: ConsumeRequest,
  limits: { readonly retry?: number } = {},
  onText: (text: string) => void = () => undefined,
): Promise<string> {
  await using client = clientOf(
    brokers.map(({ address }) => address),
    limits,
  );
  try {
    const consumption = await consume(client, request);
    let text = '';
    await consumption.pump({
      write(chunk) {
        const piece = Buffer.from(chunk).toString();
        text += piece;
        onText(piece);
        return undefined;
      },
    });
    return text.trim();
  } finally {
    await Promise.all(brokers.map((broker) => broker.close()));
  }
}
