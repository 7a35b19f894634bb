import { CliError, exitCodes } from '../errors.ts';
import { pathOf } from '../net/json-api/call.ts';
import { listOf } from '../shape/shape.ts';
import { type Api, calls, notServed } from './api.ts';
import { RegistryAcl } from './rows.ts';

const path = pathOf`/security/acls`;

const advice = {
  403: 'reading ACLs of the registry needs DESCRIBE on the cluster; changing them needs ALTER on it, and an enterprise license',
};

/** A repeated change finds the work of the first done, and succeeds. */
const change = { repeats: true, advice } as const;

/** The calls about the ACLs of the registry, which only Redpanda's has, from 25.2 on. */
export function createAclCalls(api: Api) {
  const acls = () => api.call(calls.get('read the ACLs', path, listOf(RegistryAcl), { advice, form: 'list of ACLs' }));
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
      served(api.call(calls.post('create the ACLs', path, { ...change, body: acls }))),
    /** Deletes exactly these; one that is already gone is no error. */
    deleteAcls: (acls: readonly RegistryAcl[]) =>
      served(api.call(calls.delete('delete the ACLs', path, { ...change, body: acls }))),
  };
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
