import type { Api } from './api.ts';
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

/**
 * The versions that the broker supports. Error 35 comes with the ranges too; repeat the request with a version among
 * them.
 */
export interface ApiVersionsResponse {
  readonly errorCode: number;
  readonly apis: readonly ApiVersionRange[];
}

const unsupportedVersion = 35;

/**
 * ApiVersions v0–4 (KIP-35, KIP-511): the APIs and versions that the broker supports. The answer's header has no tagged
 * fields in any version, and a broker that does not support the version answers in the layout of v0.
 */
export const apiVersions: Api<ApiVersionsRequest, ApiVersionsResponse> = {
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
    if (errorCode === unsupportedVersion) return { throttleMs: 0, errorCode, apis: readOldRanges(reader) };
    const apis = readRanges(reader);
    const throttleMs = version >= 1 ? reader.int32() : 0;
    reader.tags(); // features of the cluster
    return { throttleMs, errorCode, apis };
  },
  errorCode: (response) => response.errorCode,
};

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
