import { type Api, adapted } from './api.ts';
import { createReader, type Reader } from './codec.ts';

/** The client's name and version, as the broker's metrics show them. */
export interface ApiVersionsRequest {
  readonly softwareName: string;
  readonly softwareVersion: string;
}

/** The versions of one API that the broker supports, both ends included. */
export interface ApiVersionRange {
  readonly key: number;
  readonly min: number;
  readonly max: number;
}

/** A feature of the cluster, with levels; both ends included. */
export interface FeatureRange {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** The features of the cluster, in tagged fields since version 3 (KIP-584). */
export interface ClusterFeatures {
  /** What the broker supports. */
  readonly supported: readonly FeatureRange[];
  /** What is in use in the whole cluster. */
  readonly finalized: readonly FeatureRange[];
  /** Counts the changes of the finalized features; undefined if unknown. */
  readonly epoch: bigint | undefined;
}

/**
 * The versions that the broker supports. Error 35 comes with the ranges too; repeat the request with a version among
 * them.
 */
export interface ApiVersionsResponse {
  readonly errorCode: number;
  readonly apis: readonly ApiVersionRange[];
  readonly features: ClusterFeatures;
}

/** The feature by which the brokers of `sandbox start --engine simulated` can be told from others. */
export const simulatedFeature = 'weir.simulated';

const noFeatures: ClusterFeatures = { supported: [], finalized: [], epoch: undefined };
const unsupportedVersion = 35;

/**
 * ApiVersions v0–4 (KIP-35, KIP-511): the APIs and versions that the broker supports. The answer's header has no tagged
 * fields in any version, and a broker that does not support the version answers in the layout of v0.
 */
export const apiVersions: Api<ApiVersionsRequest, ApiVersionsResponse> = adapted({
  name: 'ApiVersions',
  key: 18,
  min: 0,
  max: 4,
  flexibleFrom: 3,
  target: 'broker',
  repeatable: true,
  encode(writer, request, version) {
    if (version < 3) return;
    writer.string(request.softwareName);
    writer.string(request.softwareVersion);
    writer.tags();
  },
  decode(reader, version) {
    const errorCode = reader.int16();
    if (errorCode === unsupportedVersion) {
      return { throttleMs: 0, errorCode, apis: readOldRanges(reader), features: noFeatures };
    }
    const apis = readRanges(reader);
    const throttleMs = version >= 1 ? reader.int32() : 0;
    const features = readFeatures(reader);
    return { throttleMs, errorCode, apis, features };
  },
  errorCode: (response) => response.errorCode,
});

function readOldRanges(reader: Reader): ApiVersionRange[] {
  const rest = reader.raw(reader.remaining);
  return rest.length === 0 ? [] : readRanges(createReader(rest, false, 'ApiVersions'));
}

function readRanges(reader: Reader): ApiVersionRange[] {
  return reader.array(() => {
    const range = { key: reader.int16(), min: reader.int16(), max: reader.int16() };
    reader.tags();
    return range;
  });
}

/** Reads the tagged fields that end the answer. */
function readFeatures(reader: Reader): ClusterFeatures {
  let features = noFeatures;
  reader.tags((tag, value) => {
    if (tag === 0) features = { ...features, supported: value.array(() => readSupported(value)) };
    // Every connection begins with this answer: a field that is not as documented must not prevent it.
    if (tag === 1 && value.remaining === 8) features = { ...features, epoch: knownEpoch(value.int64()) };
    if (tag === 2) features = { ...features, finalized: value.array(() => readFinalized(value)) };
  });
  return features;
}

function readSupported(reader: Reader): FeatureRange {
  const feature = { name: reader.string(), min: reader.int16(), max: reader.int16() };
  reader.tags();
  return feature;
}

function readFinalized(reader: Reader): FeatureRange {
  const feature = { name: reader.string(), max: reader.int16(), min: reader.int16() };
  reader.tags();
  return feature;
}

function knownEpoch(epoch: bigint): bigint | undefined {
  return epoch < 0n ? undefined : epoch;
}
