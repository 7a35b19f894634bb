import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** Whether to include brokers that are registered but not serving (from version 2). */
export interface DescribeClusterRequest {
  readonly fencedBrokers: boolean;
  /** Whether to report what the principal may do with the cluster. */
  readonly authorizedOperations?: boolean;
}

/** One broker. */
export interface ClusterBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | undefined;
  readonly fenced: boolean;
}

/** The cluster; `controllerId` is -1 if there is no controller. */
export interface DescribeClusterResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly clusterId: string;
  readonly controllerId: number;
  readonly brokers: readonly ClusterBroker[];
  /** What the principal may do, as the bits of the operations' numbers; -2^31 if it was not asked or not reported. */
  readonly authorizedOperations: number;
}

/** DescribeCluster v0–2 (KIP-700). */
export const describeCluster: Api<DescribeClusterRequest, DescribeClusterResponse> = adapted({
  name: 'DescribeCluster',
  key: 60,
  min: 0,
  max: 2,
  flexibleFrom: 0,
  target: 'any',
  repeatable: true,
  encode(writer, request, version) {
    writer.boolean(request.authorizedOperations ?? false); // include_cluster_authorized_operations
    if (version >= 1) writer.int8(1); // endpoint_type: brokers
    if (version >= 2) writer.boolean(request.fencedBrokers);
    writer.tags();
  },
  decode(reader, version) {
    const throttleMs = reader.int32();
    const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
    if (version >= 1) reader.int8(); // endpoint_type
    const cluster = { clusterId: reader.string(), controllerId: reader.int32() };
    const brokers = reader.array(() => readBroker(reader, version));
    const authorizedOperations = reader.int32();
    reader.tags();
    return { throttleMs, ...error, ...cluster, brokers, authorizedOperations };
  },
  errorCode: (response) => response.errorCode,
  errorMessage: ({ errorMessage }) => errorMessage,
});

function readBroker(reader: Reader, version: number): ClusterBroker {
  const broker = {
    id: reader.int32(),
    host: reader.string(),
    port: reader.int32(),
    rack: reader.nullableString(),
    fenced: version >= 2 && reader.boolean(),
  };
  reader.tags();
  return broker;
}
