import { type AclBinding, type AclFilter, readAclEntry, readAclResource, writeAcl } from './acl-words.ts';
import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** Filters of the ACLs to delete. */
export interface DeleteAclsRequest {
  readonly filters: readonly AclFilter[];
}

/** An ACL that matched a filter; it was deleted if there is no error. */
export interface DeletedAcl extends AclBinding {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** The result for one filter. */
export interface DeletedAcls {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly acls: readonly DeletedAcl[];
}

/** One entry per filter, in the order of the request. */
export interface DeleteAclsResponse {
  readonly results: readonly DeletedAcls[];
}

/**
 * DeleteAcls v1–3 (KIP-140, prefixed patterns since KIP-290). Repeating a request is harmless: its second answer
 * leaves out the ACLs that the first request has deleted.
 */
export const deleteAcls: Api<DeleteAclsRequest, DeleteAclsResponse> = adapted({
  name: 'DeleteAcls',
  key: 31,
  min: 1,
  max: 3,
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  changes: true,
  encode(writer, request) {
    writer.array(request.filters, (filter) => {
      writeAcl(writer, filter);
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const results = reader.array(() => readResult(reader));
    reader.tags();
    return { throttleMs, results };
  },
});

function readResult(reader: Reader): DeletedAcls {
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  const acls = reader.array(() => readMatch(reader));
  reader.tags();
  return { ...error, acls };
}

function readMatch(reader: Reader): DeletedAcl {
  const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
  const acl = { ...error, ...readAclResource(reader), ...readAclEntry(reader) };
  reader.tags();
  return acl;
}
