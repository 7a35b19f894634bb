import { type AclBinding, type AclFilter, readAclEntry, readAclResource, writeAcl } from './acl-words.ts';
import { type Api, adapted } from './api.ts';
import type { Reader } from './codec.ts';

/** The ACLs that match the filter. */
export interface DescribeAclsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | undefined;
  readonly acls: readonly AclBinding[];
}

/** DescribeAcls v1–3 (KIP-140, prefixed patterns since KIP-290). A request has one filter. */
export const describeAcls: Api<AclFilter, DescribeAclsResponse> = adapted({
  name: 'DescribeAcls',
  key: 29,
  min: 1,
  max: 3,
  flexibleFrom: 2,
  target: 'any',
  repeatable: true,
  encode(writer, filter) {
    writeAcl(writer, filter);
    writer.tags();
  },
  decode(reader) {
    const throttleMs = reader.int32();
    const error = { errorCode: reader.int16(), errorMessage: reader.nullableString() };
    const acls = reader.array(() => readResource(reader)).flat();
    reader.tags();
    return { throttleMs, ...error, acls };
  },
  errorCode: (response) => response.errorCode,
  errorMessage: ({ errorMessage }) => errorMessage,
});

function readResource(reader: Reader): AclBinding[] {
  const resource = readAclResource(reader);
  const acls = reader.array(() => {
    const acl = { ...resource, ...readAclEntry(reader) };
    reader.tags();
    return acl;
  });
  reader.tags();
  return acls;
}
