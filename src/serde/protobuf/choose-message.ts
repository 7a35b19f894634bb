import type { DescMessage } from '@bufbuild/protobuf';
import { MessageTypeError, SchemaError } from '../schema.ts';
import type { Files } from './files.ts';

/**
 * Returns the message type of that full name; without a name, the only one of the schema.
 * @throws SchemaError if there is none; MessageTypeError if the schema has several and none is named, or not that one
 */
export function chooseMessage(files: Files, name: string | undefined): DescMessage {
  const [first, ...others] = files.messages;
  if (first === undefined) throw new SchemaError('the schema has no message type');
  if (name === undefined) {
    if (others.length === 0) return first;
    throw new MessageTypeError(`the schema has several message types: ${listed(files.messages)}`);
  }
  const message = everyMessage(files.messages).find(({ typeName }) => typeName === name.replace(/^\./, ''));
  if (message !== undefined) return message;
  throw new MessageTypeError(
    `the schema has no message type ${JSON.stringify(name)}, only ${listed(everyMessage(files.messages))}`,
  );
}

function everyMessage(messages: readonly DescMessage[]): readonly DescMessage[] {
  return messages.flatMap((one) => [one, ...everyMessage(one.nestedMessages)]);
}

function listed(messages: readonly DescMessage[]): string {
  const names = messages.slice(0, 10).map(({ typeName }) => typeName);
  return names.join(', ') + (messages.length > names.length ? ` and ${messages.length - names.length} more` : '');
}

/**
 * Returns the message types that a path of indexes may mean, the likeliest first: a message type of the schema, then
 * nested ones. In Confluent's Java serializer the entry types of maps do not count; in its Python and Go serializers,
 * which follow the descriptor, they do (confluent-kafka 2.16: a message type after one map has the index 1).
 */
export function messagesAt(files: Files, indexes: readonly number[]): readonly DescMessage[] {
  const messages = [follow(files, indexes, ({ nestedMessages }, index) => nestedMessages[index])];
  messages.push(follow(files, indexes, declared));
  return [...new Set(messages)].filter((one) => one !== undefined);
}

function follow(
  files: Files,
  [first = -1, ...inner]: readonly number[],
  nested: (message: DescMessage, index: number) => DescMessage | undefined,
): DescMessage | undefined {
  return inner.reduce<DescMessage | undefined>(
    (message, index) => message && nested(message, index),
    files.messages[first],
  );
}

/** The nested message type at an index of the descriptor, where the entry types of maps count. */
function declared({ proto, nestedMessages }: DescMessage, index: number): DescMessage | undefined {
  const name = proto.nestedType[index]?.name;
  return nestedMessages.find((one) => one.name === name);
}

/** Returns the path of indexes of a message type. */
export function indexesOf(files: Files, message: DescMessage): readonly number[] {
  const { parent } = message;
  if (parent === undefined) return [files.messages.indexOf(message)];
  return [...indexesOf(files, parent), parent.nestedMessages.indexOf(message)];
}
