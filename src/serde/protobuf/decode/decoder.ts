import type { Natural } from '../../natural.ts';
import { type Decoder, type MessageOptions, mostText, PayloadError } from '../../schema.ts';
import { messagesAt } from '../choose-message.ts';
import type { Files } from '../files.ts';
import { type DecodeFast, fastDecoder } from './fast/fast.ts';
import { isKnownValue, writeMessage } from './message.ts';
import type { MessagePlan } from './message-plan.ts';
import { createPayload, failure, type Payload, readTag, readVarint, skipValue } from './payload.ts';
import { createPlanner, type Planner } from './plan.ts';

/** More indexes than messages can be nested are not read. */
const mostIndexes = 100;

/** Creates a decoder; with `bare` the payload has no message indexes in front, and unknown ones fail with it. */
export function createDecoder(files: Files, { bare }: MessageOptions = {}): Decoder {
  const plan = createPlanner(files);
  const payload = createPayload();
  const choose = chooser(files, plan);
  let given: Chosen | undefined;
  const decoder: { natural?: Natural } & Decoder = {
    decode(source, start, end, arena) {
      payload.source = source;
      payload.at = start;
      payload.limit = end;
      payload.depth = 0;
      payload.foundLength = 0;
      payload.most = arena.length + mostText(end - start);
      payload.fields[0] = '';
      payload.indexes[0] = -1;
      if (bare !== undefined) given ??= choose(bare);
      const chosen = given ?? choose(readIndexes(payload));
      decoder.natural = chosen.plan.natural;
      if (chosen.fast?.(source, payload.at, end, arena) === true) return;
      const message = fitting(payload, chosen);
      decoder.natural = message.natural;
      writeMessage(payload, arena, message, { end, group: 0 });
    },
  };
  return decoder;
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

/** The message type that indexes mean, and another that they may mean too. */
interface Chosen {
  readonly plan: MessagePlan;
  readonly other: MessagePlan | undefined;
  /** Generated code for a message type that is certain. */
  readonly fast: DecodeFast | undefined;
}

/** Returns the other message type if it has every field of the payload and the first one has not. */
function fitting(payload: Payload, { plan, other }: Chosen): MessagePlan {
  return other === undefined || hasEveryField(payload, plan) || !hasEveryField(payload, other) ? plan : other;
}

function hasEveryField(payload: Payload, plan: MessagePlan): boolean {
  const { at } = payload;
  let isKnown = true;
  while (payload.at < payload.limit) {
    const tag = readTag(payload);
    const field = plan.find(tag >>> 3);
    skipValue(payload, tag);
    isKnown &&= field !== undefined && isKnownValue(payload, field, tag & 7);
  }
  payload.at = at;
  return isKnown;
}

type Choose = (indexes: readonly number[]) => Chosen;

function chooser(files: Files, plan: Planner): Choose {
  const cache = new Map<string, Chosen>();
  let first: Chosen | undefined;
  const choose: Choose = (indexes) => {
    const key = indexes.join(', ');
    const chosen = cache.get(key);
    if (chosen !== undefined) return chosen;
    const [type, other] = messagesAt(files, indexes);
    if (type === undefined) throw new PayloadError(`the schema has no message type with the index ${key || 'none'}`);
    const planned = plan(type);
    const made: Chosen =
      other === undefined
        ? { plan: planned, other, fast: fastDecoder(planned) }
        : { plan: planned, other: plan(other), fast: undefined };
    cache.set(key, made);
    return made;
  };
  return (indexes) => {
    if (indexes !== firstMessage) return choose(indexes);
    first ??= choose(indexes);
    return first;
  };
}
