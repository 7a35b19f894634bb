import { createWriter, type Writer } from '../../../src/kafka/protocol/codec.ts';

const notFound = 91;

function answer(write: (writer: Writer) => void): Buffer {
  const writer = createWriter(true);
  writer.int32(0); // throttle
  write(writer);
  writer.tags();
  return writer.finish();
}

/** A DescribeUserScramCredentials answer: the numbers of the mechanisms of each user; none means that it is unknown. */
export function described(users: Readonly<Record<string, readonly number[]>>): Buffer {
  return answer((writer) => {
    writer.int16(0);
    writer.nullableString(undefined);
    writer.array(Object.entries(users), ([user, mechanisms]) => {
      writer.string(user);
      writer.int16(mechanisms.length === 0 ? notFound : 0);
      writer.nullableString(undefined);
      writer.array(mechanisms, (mechanism) => {
        writer.int8(mechanism);
        writer.int32(4096);
        writer.tags();
      });
      writer.tags();
    });
  });
}

/** An AlterUserScramCredentials answer with the code of each user. */
export function altered(users: Readonly<Record<string, number>>): Buffer {
  return answer((writer) =>
    writer.array(Object.entries(users), ([user, code]) => {
      writer.string(user);
      writer.int16(code);
      writer.nullableString(undefined);
      writer.tags();
    }),
  );
}
