import type { DescMessage } from '@bufbuild/protobuf';
import { takeBytes } from '../../../bytes/arena.ts';
import { duplicateKeyError, parseInput } from '../../json/input.ts';
import { type Encoder, type MessageOptions, MismatchError, SchemaError } from '../../schema.ts';
import { chooseMessage, indexesOf, messagesAt } from '../choose-message.ts';
import type { Files } from '../files.ts';
import { createOutput, type Output, writeByte, writeVarint } from './output.ts';
import { createPlanner } from './plan.ts';

/**
 * Creates an encoder; with `bare` the payload has no message indexes in front.
 * @throws SchemaError if the message type is not in the schema, or is needed and missing
 */
export function createEncoder(files: Files, options: MessageOptions = {}): Encoder {
  const type = typeOf(files, options);
  const plan = createPlanner(files)(type);
  const output = createOutput();
  const indexes = options.bare === undefined ? indexesOf(files, type) : undefined;
  return {
    encode(json) {
      const { value, keys } = parseInput(json);
      Object.assign(output, { keys: 0, depth: 0 });
      output.path.length = 0;
      output.arena.length = 0;
      if (indexes !== undefined) writeIndexes(output, indexes);
      plan.write(output, value, plan);
      if (output.keys !== keys) throw keyTwice(json);
      return takeBytes(output.arena);
    },
  };
}

/** Returns the message type that the options ask for. */
export function typeOf(files: Files, { message, bare }: MessageOptions): DescMessage {
  if (message !== undefined || bare === undefined) return chooseMessage(files, message);
  const [found] = messagesAt(files, bare);
  if (found !== undefined) return found;
  throw new SchemaError(`the schema has no message type with the index ${bare.join(', ')}`);
}

function keyTwice(json: Buffer): MismatchError {
  return duplicateKeyError(json.toString()) ?? new MismatchError('$', 'every key once', 'a key twice');
}

/** Writes a path of indexes; the path of the first message is a single 0. */
function writeIndexes(output: Output, indexes: readonly number[]): void {
  if (indexes.length === 1 && indexes[0] === 0) {
    writeByte(output, 0);
    return;
  }
  writeVarint(output, indexes.length * 2);
  for (const index of indexes) writeVarint(output, index * 2);
}
