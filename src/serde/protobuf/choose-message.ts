import type { DescMessage } from '@bufbuild/protobuf';
import { SchemaError } from '../schema.ts';
import type { Files } from './files.ts';

/**
 * Returns the message type of that full name; without a name, the only one of the schema.
 * @throws SchemaError if there is none, or the schema has several and none is named
 */
export function chooseMessage(files: Files, name: string | undefined): DescMessage {
  const [first, ...others] = files.messages;
  if (first === undefined) throw new SchemaError('the schema has no message type');
  if (name === undefined) {
    if (others.length === 0) return first;
    throw new SchemaError(`the schema has several message types, name one of them: ${listed(files.messages)}`);
  }
  const found = everyMessage(files.messages).find(({ typeName }) => typeName === name.replace(/^\./, ''));
  if (found !== undefined) return found;
  throw new SchemaError(
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
 * Returns the message type at a path of indexes: a message type of the schema, then nested ones; undefined if there is
 * none. As in Confluent's serializer, the entries of maps do not count.
 */
export function messageAt(files: Files, indexes: readonly number[]): DescMessage | undefined {
  let messages = files.messages;
  let found: DescMessage | undefined;
  for (const index of indexes) {
    found = messages[index];
    if (found === undefined) return undefined;
    messages = found.nestedMessages;
  }
  return found;
}

/** Returns the path of indexes of a message type. */
export function indexesOf(files: Files, message: DescMessage): readonly number[] {
  const { parent } = message;
  if (parent === undefined) return [files.messages.indexOf(message)];
  return [...indexesOf(files, parent), parent.nestedMessages.indexOf(message)];
}
