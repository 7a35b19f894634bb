import { ApiError, errorBody } from '../http/api-error.ts';
import { isAnyOf } from '../http/page.ts';
import type { Route } from '../http/request.ts';
import type { Operation, OperationStep } from '../state.ts';
import { schedule } from '../steps.ts';
import { newRecord, timestamp, type World } from '../world.ts';
import { type OperationType, operationTypes } from './enums.ts';
import { getOne, getPage, type Kind } from './resource.ts';

const operationKind: Kind<Operation> = {
  what: 'operation',
  keys: ['operation', 'operations'],
  filters: [
    isAnyOf('type_in', (operation) => operation.type, operationTypes),
    {
      name: 'state',
      matches: (operation, states) => states.some((state) => state.replace(/^STATE_/, '') === operation.state),
    },
    isAnyOf('resource_id', (operation) => operation.resourceId),
  ],
  stored: ({ state }) => state.operations,
  scopes: (_, { within }) => within,
  show: (_, operation) => showOperation(operation).operation,
};

/** The routes of operations, which clients poll. */
export const operationRoutes: readonly Route[] = [
  {
    name: 'operations.get',
    method: 'GET',
    path: '/v1/operations/{id}',
    access: 'Reader',
    handle: getOne(operationKind),
  },
  { name: 'operations.list', method: 'GET', path: '/v1/operations', access: 'Reader', handle: getPage(operationKind) },
];

/** The properties of a new operation. */
export interface Beginning {
  readonly type: OperationType;
  readonly resourceId: string;
  readonly within: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The first step that it takes, and when. */
  readonly next: Pick<OperationStep, 'kind' | 'change'> & { readonly afterMs: number };
}

const typeUrl = 'type.googleapis.com/redpanda.api.controlplane.v1.';

/** Starts an operation whose metadata type matches its own type, for example CreateClusterMetadata. */
export function startOperation(world: World, beginning: Beginning): Operation {
  const { type, resourceId, within, metadata, next } = beginning;
  const operation: Operation = {
    ...newRecord(world, 'op'),
    type,
    state: 'IN_PROGRESS',
    finishedAt: null,
    resourceId,
    within,
    metadata: { '@type': `${typeUrl}${messageName(type)}Metadata`, ...metadata },
    error: null,
    response: null,
  };
  world.state.operations.set(operation.id, operation);
  const { afterMs, ...step } = next;
  schedule(world, { ...step, at: world.clock.now() + afterMs, resourceId, operationId: operation.id });
  return operation;
}

/** Completes an operation; `response` holds the current resource under its key. */
export function completeOperation(world: World, id: string, at: number, response?: object): void {
  const operation = running(world, id);
  if (operation === undefined) return;
  const shown =
    response === undefined ? null : { '@type': `${typeUrl}${messageName(operation.type)}Response`, ...response };
  world.state.operations.set(id, { ...operation, state: 'COMPLETED', finishedAt: at, response: shown });
}

/** Fails an operation with an error. */
export function failOperation(world: World, id: string, at: number, error: ApiError): void {
  const operation = running(world, id);
  if (operation === undefined) return;
  const body = errorBody(error);
  world.state.operations.set(id, { ...operation, state: 'FAILED', finishedAt: at, error: body });
}

/** Fails the running operations on a resource because a new operation replaces them. */
export function abortOperations(world: World, resourceId: string, message: string): void {
  for (const { id, resourceId: of } of world.state.operations.values())
    if (of === resourceId) failOperation(world, id, world.clock.now(), new ApiError('ABORTED', message));
}

/** Takes the failure planned for an operation of this type; undefined when there is none. */
export function plannedFailure(world: World, operationId: string): ApiError | undefined {
  const type = world.state.operations.get(operationId)?.type;
  const planned = world.state.failures.find((failure) => failure.type === undefined || failure.type === type);
  if (planned === undefined) return undefined;
  world.state.failures = world.state.failures.filter((failure) => failure !== planned);
  return new ApiError(planned.code, planned.message, { reason: planned.reason });
}

/** Formats an operation as in the API, under its key. */
export function showOperation(operation: Operation): { readonly operation: unknown } {
  const { id, type, state, createdAt, finishedAt, resourceId, metadata, error, response } = operation;
  return {
    operation: {
      id,
      type,
      state: `STATE_${state}`,
      started_at: timestamp(createdAt),
      finished_at: timestamp(finishedAt),
      resource_id: resourceId,
      metadata,
      ...(error === null ? {} : { error }),
      ...(response === null ? {} : { response }),
    },
  };
}

function running(world: World, id: string): Operation | undefined {
  const operation = world.state.operations.get(id);
  return operation?.state === 'IN_PROGRESS' ? operation : undefined;
}

/** Converts `TYPE_CREATE_CLUSTER` to `CreateCluster`. */
function messageName(type: string): string {
  const words = type.replace('TYPE_', '').toLowerCase().split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
