import { alterClientQuotas } from '../../src/kafka/protocol/wire/apis/alter-client-quotas.ts';
import { createAcls } from '../../src/kafka/protocol/wire/apis/create-acls.ts';
import { deleteAcls } from '../../src/kafka/protocol/wire/apis/delete-acls.ts';
import { describeAcls } from '../../src/kafka/protocol/wire/apis/describe-acls.ts';
import { describeClientQuotas } from '../../src/kafka/protocol/wire/apis/describe-client-quotas.ts';
import { describeProducers } from '../../src/kafka/protocol/wire/apis/describe-producers.ts';
import { listTransactions } from '../../src/kafka/protocol/wire/apis/list-transactions.ts';
import { offsetDelete } from '../../src/kafka/protocol/wire/apis/offset-delete.ts';
import { writeTxnMarkers } from '../../src/kafka/protocol/wire/apis/write-txn-markers.ts';
import { answerOf } from './answer.ts';

/** The resource `topic foo` (literal), and a permission for a user to read it. */
const resource = { resourceType: 2, resourceName: 'foo', patternType: 3 } as const;
const permission = (user: string) => ({ principal: `User:${user}`, host: '*', operation: 3, permissionType: 3 });

/** DescribeAcls v3: users who may read the topic `foo`. */
export const aclsAnswer = (users: readonly string[]): Buffer =>
  answerOf(describeAcls, 3, {
    errorCode: 0,
    resources: users.length === 0 ? [] : [{ ...resource, acls: users.map(permission) }],
  });

/** CreateAcls v3, one code for each ACL. */
export const createdAclsAnswer = (codes: readonly number[]): Buffer =>
  answerOf(createAcls, 3, { results: codes.map((errorCode) => ({ errorCode })) });

/** DeleteAcls v3: for each filter its code, and the users whose ACLs matched with theirs. */
export const deletedAclsAnswer = (
  filters: readonly { readonly code: number; readonly matches: readonly (readonly [user: string, code: number])[] }[],
): Buffer =>
  answerOf(deleteAcls, 3, {
    filterResults: filters.map(({ code, matches }) => ({
      errorCode: code,
      matchingAcls: matches.map(([user, errorCode]) => ({ errorCode, ...resource, ...permission(user) })),
    })),
  });

const entity = (user: string) => [{ entityType: 'user', entityName: user }];

/** DescribeClientQuotas v1: the `producer_byte_rate` of users. */
export const quotasAnswer = (values: readonly (readonly [user: string, value: number])[], code = 0): Buffer =>
  answerOf(describeClientQuotas, 1, {
    errorCode: code,
    entries: values.map(([user, value]) => ({
      entity: entity(user),
      values: [{ key: 'producer_byte_rate', value }],
    })),
  });

/** AlterClientQuotas v1, with a code for each user. */
export const alteredQuotasAnswer = (codes: readonly (readonly [user: string, code: number])[]): Buffer =>
  answerOf(alterClientQuotas, 1, {
    entries: codes.map(([user, errorCode]) => ({ errorCode, entity: entity(user) })),
  });

/** DescribeProducers v0: on partition 0 of `foo`, each producer has a transaction open since offset 3. */
export const producersAnswer = (ids: readonly bigint[]): Buffer => {
  const activeProducers = ids.map((producerId) => ({
    producerId,
    producerEpoch: 1,
    lastSequence: 7,
    lastTimestamp: 1_000n,
    coordinatorEpoch: 0,
    currentTxnStartOffset: 3n,
  }));
  const partitions = [{ partitionIndex: 0, errorCode: 0, activeProducers }];
  return answerOf(describeProducers, 0, { topics: [{ name: 'foo', partitions }] });
};

/** ListTransactions v0: none. */
export const noTransactionsAnswer = (): Buffer =>
  answerOf(listTransactions, 0, { errorCode: 0, unknownStateFilters: [], transactionStates: [] });

/** WriteTxnMarkers v1, with a code for each producer on partition 0 of `foo`. */
export const markersAnswer = (codes: readonly (readonly [producer: bigint, code: number])[]): Buffer =>
  answerOf(writeTxnMarkers, 1, {
    markers: codes.map(([producerId, errorCode]) => ({
      producerId,
      topics: [{ name: 'foo', partitions: [{ partitionIndex: 0, errorCode }] }],
    })),
  });

/** OffsetDelete v0 for partitions of `foo`; `whole` is the code of the group. */
export function deletedOffsetsAnswer(
  codes: readonly (readonly [partition: number, code: number])[],
  whole = 0,
): Buffer {
  const partitions = codes.map(([partitionIndex, errorCode]) => ({ partitionIndex, errorCode }));
  return answerOf(offsetDelete, 0, { errorCode: whole, topics: [{ name: 'foo', partitions }] });
}
