import { list, object, optional, type Reader, text } from '../../http/readers.ts';
import { noContent, param, type Reply } from '../../http/reply.ts';
import { AdminError } from '../admin-error.ts';
import { lacksLicense } from '../config/license.ts';
import { type AdminRequest, booleanQuery, by, ok, type Route, readJson, route } from '../request.ts';
import type { World } from '../world.ts';
import { groupRoutes, memberOf } from './role-groups.ts';

/** The routes of roles and their members. */
export const roleRoutes: readonly Route[] = [
  route('roles.list', 'GET /v1/security/roles', by.superuser, listRoles),
  route('roles.create', 'POST /v1/security/roles', by.controller, create),
  route('roles.delete', 'DELETE /v1/security/roles/{role}', by.controller, remove),
  route('roles.members', 'GET /v1/security/roles/{role}/members', by.superuser, members),
  route('roles.members.change', 'POST /v1/security/roles/{role}/members', by.controller, changeMembers),
  ...groupRoutes,
];

/** The codes inside the message of an error about roles. */
const codes = {
  malformed: { code: 40_001, status: 400 },
  invalidName: { code: 40_002, status: 400 },
  unknownField: { code: 40_003, status: 400 },
  addAndRemove: { code: 40_004, status: 400 },
  missing: { code: 40_401, status: 404 },
  exists: { code: 40_901, status: 409 },
} as const;

/** An error about roles: its message is a JSON document of its own. */
function roleError(kind: keyof typeof codes, message: string): AdminError {
  const { code, status } = codes[kind];
  return new AdminError(status, JSON.stringify({ message, code }));
}

/** Reads a body; its errors get the codes of roles. */
function readBody<T>(request: AdminRequest, reader: Reader<T>): T {
  try {
    return readJson(request, reader);
  } catch (error) {
    const { message } = error as Error;
    throw roleError(message.includes('unknown field') ? 'unknownField' : 'malformed', message);
  }
}

function roleOf({ state }: World, request: AdminRequest): Set<string> {
  const role = state.roles.get(param(request, 'role'));
  if (role === undefined) throw roleError('missing', `role "${param(request, 'role')}" does not exist`);
  return role;
}

function rolesOf({ state }: World, member: string | null): readonly string[] {
  return [...state.roles].filter(([, names]) => member === null || names.has(member)).map(([name]) => name);
}

function showRoles(names: readonly string[], prefix: string): Reply {
  const matches = names.filter((name) => name.startsWith(prefix)).sort();
  return ok({ roles: matches.map((name) => ({ name })) });
}

/** Its words for the type of a member have none for a group (redpanda 26: src/v/redpanda/admin/security.cc:267). */
function showMembers(principals: Iterable<string>) {
  return [...principals].sort().map((principal) => {
    const { type, name } = memberOf(principal);
    return { name, principal_type: type === 'User' ? type : 'Unknown' };
  });
}

function listRoles(world: World, { query }: AdminRequest): Reply {
  const type = query.get('principal_type') ?? 'User';
  if (type !== 'User') throw onlyUsers(type);
  const name = query.get('principal');
  return showRoles(rolesOf(world, name === null ? null : `${type}:${name}`), query.get('filter') ?? '');
}

function create(world: World, request: AdminRequest): Reply {
  checkLicense(world);
  const { role } = readBody(request, object({ role: text }));
  checkName(role);
  const existing = world.state.roles.get(role);
  // A client that repeats a request whose answer it lost gets the answer of the first.
  if (existing !== undefined && existing.size > 0) throw roleError('exists', `role "${role}" already exists`);
  world.state.roles.set(role, existing ?? new Set());
  return { status: 201, body: { role } };
}

function checkLicense(world: World): void {
  if (lacksLicense(world)) throw new AdminError(403, 'roles require a valid license');
}

// The documents name the error but not the rule. Commas and equal signs separate names in ACLs.
function checkName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what the API refuses
  if (name === '' || /[\u0000-\u001f\u007f,=]/.test(name))
    throw roleError('invalidName', `invalid role name "${name}"`);
}

function members(world: World, request: AdminRequest): Reply {
  return ok({ members: showMembers(roleOf(world, request)) });
}

// The ACLs go first: if they cannot be deleted now, the role stays, so that the request can be repeated.
async function remove({ state, view }: World, request: AdminRequest): Promise<Reply> {
  const role = param(request, 'role');
  if (booleanQuery(request, 'delete_acls') === true) await view.deleteAcls(`RedpandaRole:${role}`);
  state.roles.delete(role);
  return noContent;
}

/** In the words of redpanda src/v/redpanda/admin/security.cc:255 and 776. */
function onlyUsers(member: string): AdminError {
  return roleError('malformed', `Role membership reserved for user principals, got {${member}}`);
}

const member = object({ name: text, principal_type: text });
const change = object({ add: optional(list(member)), remove: optional(list(member)) });

function changeMembers(world: World, request: AdminRequest): Reply {
  checkLicense(world);
  const { add = [], remove: gone = [] } = readBody(request, change);
  const other = [...add, ...gone].find(({ principal_type: type }) => type !== 'User');
  if (other !== undefined) throw onlyUsers(keyOf(other));
  const role = param(request, 'role');
  const goneKeys = new Set(gone.map(keyOf));
  const both = add.find((one) => goneKeys.has(keyOf(one)));
  if (both !== undefined) throw roleError('addAndRemove', `"${both.name}" is both added and removed`);
  const created = !world.state.roles.has(role) && booleanQuery(request, 'create') === true;
  if (created) {
    checkName(role);
    world.state.roles.set(role, new Set());
  }
  const principals = roleOf(world, request);
  const added = add.filter((one) => !principals.has(keyOf(one)));
  const removed = gone.filter((one) => principals.has(keyOf(one)));
  for (const one of added) principals.add(keyOf(one));
  for (const one of removed) principals.delete(keyOf(one));
  return ok({ role, added, removed, created });
}

function keyOf({ name, principal_type: type }: { name: string; principal_type: string }): string {
  return `${type}:${name}`;
}
