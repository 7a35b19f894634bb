import { createWriter, type Writer } from '../../src/kafka/protocol/codec.ts';

/** An answer in the flexible layout. */
function answer(write: (writer: Writer) => void): Buffer {
  const writer = createWriter(true);
  write(writer);
  writer.tags();
  return Buffer.from(writer.finish());
}

function failure(writer: Writer, code: number): void {
  writer.int16(code);
  writer.nullableString(undefined);
}

function rows<Row>(writer: Writer, all: readonly Row[], each: (row: Row) => void): void {
  writer.array(all, (row) => {
    each(row);
    writer.tags();
  });
}

/** The resource `topic foo` (literal), and a permission for a user to read it. */
function resource(writer: Writer): void {
  writer.int8(2);
  writer.string('foo');
  writer.int8(3);
}
function permission(writer: Writer, user: string): void {
  writer.string(`User:${user}`);
  writer.string('*');
  writer.int8(3);
  writer.int8(3);
}

/** DescribeAcls v3: users who may read the topic `foo`. */
export const aclsAnswer = (users: readonly string[]): Buffer =>
  answer((writer) => {
    writer.int32(0);
    failure(writer, 0);
    rows(writer, users.length === 0 ? [] : ['foo'], () => {
      resource(writer);
      rows(writer, users, (user) => permission(writer, user));
    });
  });

/** CreateAcls v3, one code for each ACL. */
export const createdAclsAnswer = (codes: readonly number[]): Buffer =>
  answer((writer) => {
    writer.int32(0);
    rows(writer, codes, (code) => failure(writer, code));
  });

/** DeleteAcls v3: for each filter its code, and the users whose ACLs matched with theirs. */
export const deletedAclsAnswer = (
  filters: readonly { readonly code: number; readonly matches: readonly (readonly [user: string, code: number])[] }[],
): Buffer =>
  answer((writer) => {
    writer.int32(0);
    rows(writer, filters, ({ code, matches }) => {
      failure(writer, code);
      rows(writer, matches, ([user, own]) => {
        failure(writer, own);
        resource(writer);
        permission(writer, user);
      });
    });
  });

function user(writer: Writer, name: string): void {
  rows(writer, [name], (own) => {
    writer.string('user');
    writer.nullableString(own);
  });
}

/** DescribeClientQuotas v1: the `producer_byte_rate` of users. */
export const quotasAnswer = (values: readonly (readonly [user: string, value: number])[], code = 0): Buffer =>
  answer((writer) => {
    writer.int32(0);
    failure(writer, code);
    rows(writer, values, ([name, value]) => {
      user(writer, name);
      rows(writer, [value], (own) => {
        writer.string('producer_byte_rate');
        writer.float64(own);
      });
    });
  });

/** AlterClientQuotas v1, with a code for each user. */
export const alteredQuotasAnswer = (codes: readonly (readonly [user: string, code: number])[]): Buffer =>
  answer((writer) => {
    writer.int32(0);
    rows(writer, codes, ([name, code]) => {
      failure(writer, code);
      user(writer, name);
    });
  });

/** DescribeProducers v0: on partition 0 of `foo`, each producer has a transaction open since offset 3. */
export const producersAnswer = (ids: readonly bigint[]): Buffer =>
  answer((writer) => {
    writer.int32(0);
    rows(writer, ['foo'], (topic) => {
      writer.string(topic);
      rows(writer, [0], (partition) => {
        writer.int32(partition);
        failure(writer, 0);
        rows(writer, ids, (id) => {
          writer.int64(id);
          for (const number of [1, 7]) writer.int32(number);
          writer.int64(1_000n);
          writer.int32(0);
          writer.int64(3n);
        });
      });
    });
  });

/** ListTransactions v0: none. */
export const noTransactionsAnswer = (): Buffer =>
  answer((writer) => {
    writer.int32(0);
    writer.int16(0);
    writer.array([], () => undefined);
    writer.array([], () => undefined);
  });

/** WriteTxnMarkers v1, with a code for each producer on partition 0 of `foo`. */
export const markersAnswer = (codes: readonly (readonly [producer: bigint, code: number])[]): Buffer =>
  answer((writer) =>
    rows(writer, codes, ([producer, code]) => {
      writer.int64(producer);
      rows(writer, ['foo'], (topic) => {
        writer.string(topic);
        rows(writer, [0], (partition) => {
          writer.int32(partition);
          writer.int16(code);
        });
      });
    }),
  );

/** OffsetDelete v0 for partitions of `foo`; `whole` is the code of the group. It has no flexible layout. */
export function deletedOffsetsAnswer(
  codes: readonly (readonly [partition: number, code: number])[],
  whole = 0,
): Buffer {
  const writer = createWriter(false);
  writer.int16(whole);
  writer.int32(0);
  writer.array(['foo'], (topic) => {
    writer.string(topic);
    writer.array(codes, ([partition, code]) => {
      writer.int32(partition);
      writer.int16(code);
    });
  });
  return Buffer.from(writer.finish());
}
