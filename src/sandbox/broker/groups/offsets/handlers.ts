import { offsetCommit } from '../../../../kafka/wire/apis/offset-commit.ts';
import { offsetDelete } from '../../../../kafka/wire/apis/offset-delete.ts';
import { offsetFetch } from '../../../../kafka/wire/apis/offset-fetch.ts';
import { txnOffsetCommit } from '../../../../kafka/wire/apis/txn-offset-commit.ts';
import { codes } from '../../error-codes.ts';
import { type Handler, handler } from '../../serve/handler.ts';
import type { GroupWorld } from '../group.ts';
import { coordinatorCode } from '../permission.ts';
import { commitInTransaction, commitOffsets } from './commit.ts';
import { deleteOffsets } from './delete.ts';
import { fetchOffsets } from './fetch.ts';

/** The handlers of the APIs for committed offsets. */
export function offsetHandlers(world: GroupWorld): readonly Handler[] {
  return [commitHandler(world), transactionHandler(world), fetchHandler(world), deleteHandler(world)];
}

function commitHandler(world: GroupWorld): Handler {
  return handler(offsetCommit, {
    handle(context, request) {
      const code = coordinatorCode(context, request.groupId);
      return code === codes.NONE ? commitOffsets(world, request, context.version) : refusedTopics(request, code);
    },
    refuse: refusedTopics,
  });
}

function transactionHandler(world: GroupWorld): Handler {
  return handler(txnOffsetCommit, {
    handle(context, request) {
      const code = request.groupId === '' ? codes.INVALID_GROUP_ID : coordinatorCode(context, request.groupId);
      return code === codes.NONE ? commitInTransaction(world, request, context.version) : refusedTopics(request, code);
    },
    refuse: refusedTopics,
  });
}

/** Builds a response with the same error code for every partition. */
function refusedTopics<T extends { readonly partitions: readonly { readonly partitionIndex: number }[] }>(
  { topics }: { readonly topics: readonly T[] },
  errorCode: number,
) {
  return {
    topics: topics.map((topic) => ({
      ...topic,
      partitions: topic.partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
    })),
  };
}

/** The first version of OffsetFetch with several groups. */
const severalFrom = 8;

function fetchHandler(world: GroupWorld): Handler {
  return handler(offsetFetch, {
    handle(context, request) {
      const one = { groupId: request.groupId, memberId: undefined, memberEpoch: -1, topics: request.topics };
      const asked = context.version >= severalFrom ? request.groups : [one];
      const groups = asked.map((group) => {
        const errorCode = coordinatorCode(context, group.groupId);
        if (errorCode !== codes.NONE) return refusedGroup(group, errorCode, context.version);
        return fetchOffsets(world, group, request.requireStable);
      });
      return answered(groups, context.version);
    },
    refuse(request, code, version) {
      const asked = version >= severalFrom ? request.groups : [request];
      return answered(
        asked.map((group) => refusedGroup(group, code, version)),
        version,
      );
    },
  });
}

type FetchedGroups = readonly ReturnType<typeof fetchOffsets>[];

function answered(groups: FetchedGroups, version: number) {
  if (version >= severalFrom) return { groups };
  const [only] = groups;
  return { topics: only?.topics ?? [], errorCode: only?.errorCode ?? codes.NONE };
}

/** Builds the answer for a refused group. Before version 2 there is no group error, so every partition carries it. */
function refusedGroup(
  { groupId, topics }: { readonly groupId: string; readonly topics: readonly NamedPartitions[] | undefined },
  errorCode: number,
  version: number,
): ReturnType<typeof fetchOffsets> {
  if (version >= 2) return { groupId, topics: [], errorCode };
  const refused = (topics ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partitionIndex) => ({
      partitionIndex,
      committedOffset: -1,
      metadata: '',
      errorCode,
    })),
  }));
  return { groupId, topics: refused, errorCode };
}

interface NamedPartitions {
  readonly name: string;
  readonly partitionIndexes: readonly number[];
}

function deleteHandler(world: GroupWorld): Handler {
  return handler(offsetDelete, {
    handle(context, request) {
      const errorCode = coordinatorCode(context, request.groupId);
      return errorCode === codes.NONE ? deleteOffsets(world, request) : { errorCode, topics: [] };
    },
    refuse: (_request, errorCode) => ({ errorCode, topics: [] }),
  });
}
