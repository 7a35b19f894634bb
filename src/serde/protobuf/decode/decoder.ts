import type { DescMessage } from '@bufbuild/protobuf';
import { type Decoder, type MessageOptions, PayloadError } from '../../schema.ts';
import { messageAt } from '../choose-message.ts';
import type { Files } from '../files.ts';
import { writeMessage } from './message.ts';
import { createPayload, failure, type Payload, readVarint } from './payload.ts';
import { createPlanner, type MessagePlan, type Planner } from './plan.ts';

/** More indexes than messages can be nested are not read. */
const mostIndexes = 100;

/** Creates a decoder; with `bare` the payload has no message indexes in front. */
export function createDecoder(files: Files, { bare }: MessageOptions = {}): Decoder {
  const plan = createPlanner(files);
  const payload = createPayload();
  const choose = chooser(files, plan);
  const given = bare === undefined ? undefined : choose(bare);
  return {
    decode(source, start, end, arena) {
      payload.source = source;
      payload.at = start;
      payload.limit = end;
      payload.depth = 0;
      payload.foundLength = 0;
      payload.fields[0] = '';
      payload.indexes[0] = -1;
      const message = given ?? choose(readIndexes(payload));
      writeMessage(payload, arena, message, { end, group: 0 });
    },
  };
}

const firstMessage: readonly number[] = [0];

/** Reads a count and so many indexes; the count 0 stands for the first message. */
function readIndexes(payload: Payload): readonly number[] {
  const count = readZigzag(payload);
  if (count === 0) return firstMessage;
  if (count < 0 || count > mostIndexes) throw failure(payload, `the payload states ${count} message indexes`);
  return Array.from({ length: count }, () => readZigzag(payload));
}

function readZigzag(payload: Payload): number {
  readVarint(payload);
  const { low, high } = payload;
  if (high !== 0) throw failure(payload, 'the payload has an invalid message index');
  return (low >>> 1) ^ -(low & 1);
}

type Choose = (indexes: readonly number[]) => MessagePlan;

function chooser(files: Files, plan: Planner): Choose {
  const plans = new Map<DescMessage, MessagePlan>();
  let first: MessagePlan | undefined;
  return (indexes) => {
    if (indexes === firstMessage && first !== undefined) return first;
    const type = messageAt(files, indexes);
    if (type === undefined) {
      throw new PayloadError(`the schema has no message type with the index ${indexes.join(', ') || 'none'}`);
    }
    const chosen = plans.get(type) ?? plan(type);
    plans.set(type, chosen);
    if (indexes === firstMessage) first = chosen;
    return chosen;
  };
}
