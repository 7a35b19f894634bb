import { type AclBinding, writeAcl } from './acl-words.ts';
import { type Api, adapted } from './api.ts';

/** ACLs to create. */
export interface CreateAclsRequest {
  readonly acls: readonly AclBinding[];
}

/** The result for one ACL. */
export interface CreatedAcl {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
}

/** One entry per ACL, in the order of the request. */
export interface CreateAclsResponse {
  readonly results: readonly CreatedAcl[];
}

/** CreateAcls v1–3 (KIP-140, prefixed patterns since KIP-290). An ACL that already exists is created again. */
export const createAcls: Api<CreateAclsRequest, CreateAclsResponse> = adapted({
  name: 'CreateAcls',
  key: 30,
  min: 1,
  max: 3,
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  changes: true,
  encode(writer, request) {
    writer.array(request.acls, (acl) => {
      writeAcl(writer, acl);
      writer.tags();
    });
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const results = reader.array(() => {
      const result = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
      reader.tags();
      return result;
    });
    reader.tags();
    return { throttleMs, results };
  },
});
