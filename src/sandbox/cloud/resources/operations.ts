import { param, type Reply } from '../../http/reply.ts';
import { demand, may } from '../auth/authorize.ts';
import { ApiError, errorBody, notFound } from '../http/api-error.ts';
import { type Call, ok, type Route } from '../http/call.ts';
import { type Filter, isAnyOf, page } from '../http/page.ts';
import { newResourceId } from '../identifiers.ts';
import type { Operation } from '../state.ts';
import { nextSequence, timestamp, type World } from '../world.ts';
import { type OperationType, operationTypes } from './enums.ts';

/** The routes of operations, which clients poll. */
export const operationRoutes: readonly Route[] = [
  { name: 'operations.get', method: 'GET', path: '/v1/operations/{id}', access: 'Reader', handle: get },
  { name: 'operations.list', method: 'GET', path: '/v1/operations', access: 'Reader', handle: list },
];

/** The properties of a new operation. */
interface Beginning {
  readonly type: OperationType;
  readonly resourceId: string;
  readonly within: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

const typeUrl = 'type.googleapis.com/redpanda.api.controlplane.v1.';

/** Starts an operation whose metadata type matches its own type, for example CreateClusterMetadata. */
export function startOperation(world: World, beginning: Beginning): Operation {
  const { type, resourceId, within, metadata } = beginning;
  const operation: Operation = {
    id: newResourceId(world, 'op'),
    sequence: nextSequence(world),
    createdAt: world.clock.now(),
    updatedAt: null,
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
  return { operation: fieldsOf(operation) };
}

function fieldsOf(operation: Operation): unknown {
  return {
    id: operation.id,
    type: operation.type,
    state: `STATE_${operation.state}`,
    started_at: timestamp(operation.createdAt),
    finished_at: timestamp(operation.finishedAt),
    resource_id: operation.resourceId,
    metadata: operation.metadata,
    ...(operation.error === null ? {} : { error: operation.error }),
    ...(operation.response === null ? {} : { response: operation.response }),
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

function get(world: World, call: Call): Reply {
  const operation = world.state.operations.get(param(call, 'id'));
  if (operation === undefined) throw notFound('operation', param(call, 'id'));
  demand(world, call, 'Reader', operation.within);
  return ok(showOperation(operation));
}

const filters: readonly Filter<Operation>[] = [
  isAnyOf('type_in', (operation) => operation.type, operationTypes),
  {
    name: 'state',
    matches: (operation, states) => states.some((state) => state.replace(/^STATE_/, '') === operation.state),
  },
  isAnyOf('resource_id', (operation) => operation.resourceId),
];

function list(world: World, call: Call): Reply {
  return page(world, call, {
    key: 'operations',
    items: [...world.state.operations.values()].filter((operation) => may(world, call, 'Reader', operation.within)),
    filters,
    show: fieldsOf,
  });
}
