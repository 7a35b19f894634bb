import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/**
 * The groups or transactions whose coordinator to find. Before version 4 a request holds one key: the first is sent.
 */
export interface FindCoordinatorRequest {
  readonly keyType: 'group' | 'transaction';
  /** Group ids or transactional ids. */
  readonly keys: readonly string[];
}

/** The coordinator of one key, or the reason why there is none. */
export interface Coordinator {
  readonly key: string;
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

/** One entry per requested key. */
export interface FindCoordinatorResponse {
  readonly coordinators: readonly Coordinator[];
}

const keyTypes = { group: 0, transaction: 1 } as const;

/** FindCoordinator v1–6 (several keys at once from v4, KIP-699). */
export const findCoordinator: Api<FindCoordinatorRequest, FindCoordinatorResponse> = adapted({
  name: 'FindCoordinator',
  key: 10,
  min: 1,
  max: 6,
  flexibleFrom: 3,
  target: 'any',
  repeatable: true,
  encode(writer, request, version) {
    if (version < 4) writer.string(request.keys[0] ?? '');
    writer.int8(keyTypes[request.keyType]);
    if (version >= 4) writer.array(request.keys, writer.string);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const coordinators = version >= 4 ? reader.array(() => readCoordinator(reader)) : [readOnlyCoordinator(reader)];
    reader.tags();
    return { throttleMs, coordinators };
  },
  errorCode: ({ coordinators: [first, ...rest] }) => (rest.length === 0 ? (first?.errorCode ?? 0) : 0),
});

function readCoordinator(reader: Reader): Coordinator {
  const node = { key: reader.string(), nodeId: reader.int32(), host: reader.string(), port: reader.int32() };
  const coordinator = { ...node, errorCode: reader.int16(), errorMessage: reader.nullableString() };
  reader.tags();
  return coordinator;
}

function readOnlyCoordinator(reader: Reader): Coordinator {
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  return { key: '', ...error, nodeId: reader.int32(), host: reader.string(), port: reader.int32() };
}
