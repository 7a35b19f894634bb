import { CliError, exitCodes } from '../errors.ts';
import { pathOf } from '../net/json-api/call.ts';
import { listOf, row, string, word } from '../shape/shape.ts';
import { type Api, calls, notServed } from './api.ts';
import type { RegistryAcl } from './rows.ts';

const path = pathOf`/security/acls`;

const advice = {
  403: 'reading ACLs of the registry needs DESCRIBE on the cluster, and changing them ALTER and an enterprise license; while the registry checks no ACLs, both need a superuser',
};

/** An ACL as Redpanda writes it. */
const aclShape = row({
  principal: string,
  resource: string,
  resource_type: string,
  pattern_type: string,
  host: string,
  operation: string,
  permission: word('ALLOW', 'DENY'),
});

/** A repeated change finds the work of the first done, and succeeds. */
const change = { repeats: true, advice } as const;

/** The calls about the ACLs of the registry, which only Redpanda's has, from 25.2 on. */
export function createAclCalls(api: Api) {
  const acls = async (): Promise<readonly RegistryAcl[]> => {
    const read = calls.get('read the ACLs', path, listOf(aclShape), { advice, form: 'list of ACLs' });
    return (await api.call(read)).map(({ resource, pattern_type: pattern, ...acl }) => {
      return { ...acl, resource_name: resource, resource_pattern_type: pattern };
    });
  };
  return {
    /** All ACLs. @throws CliError (exit 1) if it is a registry that has no such thing */
    acls: () => served(acls()),
    /** All ACLs; none if it is a registry that has no such thing. */
    async aclsIfServed(): Promise<readonly RegistryAcl[]> {
      try {
        return await acls();
      } catch (error) {
        if (notServed(error)) return [];
        throw error;
      }
    },
    /** Creates all of them, or none; one that exists is no error. */
    createAcls: (acls: readonly RegistryAcl[]) =>
      served(api.call(calls.post('create the ACLs', path, { ...change, body: acls.map(bodyOf) }))),
    /** Deletes exactly these; one that is already gone is no error. */
    deleteAcls: (acls: readonly RegistryAcl[]) =>
      served(api.call(calls.delete('delete the ACLs', path, { ...change, body: acls.map(bodyOf) }))),
  };
}

/** Only the fields that the registry knows: it refuses others. */
function bodyOf({ resource_name: resource, resource_pattern_type: pattern, ...acl }: RegistryAcl) {
  const { principal, resource_type, host, operation, permission } = acl;
  return { principal, resource, resource_type, pattern_type: pattern, host, operation, permission };
}

async function served<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!notServed(error)) throw error;
    throw new CliError(exitCodes.failure, 'this schema registry has no ACLs', {
      code: 'UNSUPPORTED_VERSION',
      hints: ['ACLs of the schema registry need Redpanda 25.2 or newer'],
    });
  }
}
