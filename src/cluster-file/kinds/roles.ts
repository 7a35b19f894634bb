import type { RoleMember } from '../../admin/access/access-rows.ts';
import type { Context } from '../../context.ts';
import { count } from '../../format/count.ts';
import { compareText } from '../../format/order.ts';
import { type Acl, everyAcl } from '../../kafka/cluster/access/acl-rows.ts';
import { described, filled, leftOut, type RowOf, Unfit } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, fields, items, parsed } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Change, factsOf, type Kind, kind } from './kind.ts';
import { unnamed } from './refusal.ts';

/** A member: a user, or a group of the identity provider. */
const member = parsed(filled, (text) => {
  if (/^(?:User|Group):./.test(text)) return text;
  if (text.includes(':')) throw new Error('expected User:NAME, Group:NAME or the name of a user');
  return `User:${text}`;
});

const roleShape = checked(
  emptyIfNull(
    fields({
      members: leftOut(described(items(member), 'all members: User:NAME, Group:NAME, or names of users')),
      ...removalFields,
    }),
  ),
  removalFault,
);

const rolesShape = byName(roleShape, (name) => (filled.take(name) instanceof Unfit ? 'it is empty' : undefined));

interface WantedRole extends RowOf<typeof roleShape> {
  readonly name: string;
  readonly way: readonly string[];
}

interface ExistingRoles {
  /** The members of each role. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  /** Why roles could not be read, if there may be some. */
  readonly notice?: string;
}

/** Roles of Redpanda, over its Admin API. */
export const roles: Kind = kind<WantedRole, ExistingRoles>({
  noun: 'role',
  sections: { roles: rolesShape },
  ownedBy: ['roles'],

  wanted: ({ roles: given = {} }) =>
    Object.entries(given as RowOf<typeof rolesShape>).map(([name, entry]) => ({
      ...entry,
      name,
      way: ['roles', name],
    })),

  ruled: {
    fields: ['name', 'members'],
    things: ({ name, way, absent, members }) => (absent === true ? [] : [{ way, fields: factsOf({ name, members }) }]),
  },

  async read(context, { wanted, owns }) {
    if (wanted.size === 0 && !(await hasAdmin(context))) {
      const isRedpanda = (await (await context.kafka()).isRedpanda()) === true;
      return { members: new Map(), ...(isRedpanda && { notice: 'without roles: admin.hosts is not set' }) };
    }
    const admin = await context.admin();
    const names = (await admin.roles()).filter((name) => wanted.has(name) || owns?.(name) === true);
    const members = await Promise.all(names.map((name) => admin.roleMembers(name, 'leader')));
    const texts = names.map((name, at) => [name, (members[at] ?? []).map(memberText).sort(compareText)] as const);
    return { members: new Map(texts) };
  },

  notices: (_scope, { notice }) => (notice === undefined ? [] : [notice]),

  compare({ wanted, owns }, { members: existing }, options) {
    const named = [...wanted.values()].flatMap((role) => compareRole(role, existing.get(role.name)));
    const others = [...existing].filter(([name]) => !wanted.has(name) && owns?.(name) === true);
    return [...named, ...others.map(([name, members]) => unnamed(options, (why) => deletion(name, members, why)))];
  },

  async judge(context, { changes }) {
    const names = changes.filter(({ action }) => action === 'delete').map(({ name }) => name);
    if (names.length === 0) return changes;
    const kafka = await context.kafka();
    const filters = names.map((name) => ({ ...everyAcl, principal: principalOf(name) }));
    // Who may delete roles may not be allowed to list ACLs.
    const { matches } = await kafka.listAcls(filters).catch(() => ({ matches: [] as readonly Acl[] }));
    return changes.map((change) => {
      const acls = matches.filter(({ principal }) => principal === principalOf(change.name)).length;
      if (change.action !== 'delete' || acls === 0) return change;
      const kept = `${count(acls, 'ACL')} for it ${acls === 1 ? 'is' : 'are'} not deleted with it`;
      return { ...change, why: change.why === null ? kept : `${change.why}; ${kept}` };
    });
  },

  order: ({ action }) => (action === 'delete' ? 120 : 60),

  async apply(context, { changes }, { send }) {
    for (const change of changes)
      await send(
        [change],
        ({ name }) => name,
        async () => {
          await applyRole(context, change);
          return [];
        },
      );
  },

  export({ members: existing }, owns) {
    const owned = [...existing].filter(([name]) => owns(name));
    if (owned.length === 0) return {};
    return { roles: Object.fromEntries(owned.map(([name, members]) => [name, { members }] as const)) };
  },
});

function principalOf(role: string): string {
  return `RedpandaRole:${role}`;
}

/** Whether an Admin API is configured; without, weir would ask whatever listens on this machine. */
async function hasAdmin(context: Context): Promise<boolean> {
  return (await context.config()).setting('admin.hosts').source !== 'default';
}

function memberText({ name, principal_type: type }: RoleMember): string {
  return `${type}:${name}`;
}

function memberOf(text: string): RoleMember {
  const at = text.indexOf(':');
  return { name: text.slice(at + 1), principal_type: text.slice(0, at) };
}

const isMember = 'member';

function compareRole({ name, members, absent, because }: WantedRole, now: readonly string[] | undefined): Change[] {
  if (absent === true) return now === undefined ? [] : [deletion(name, now, because ?? null)];
  const given = new Set(now);
  const wanted = new Set(members ?? now);
  const added = [...wanted].filter((one) => !given.has(one)).map((path) => ({ path, from: null, to: isMember }));
  const removed = [...given].filter((one) => !wanted.has(one)).map((path) => ({ path, from: isMember, to: null }));
  const changes: readonly Difference[] = [...added, ...removed];
  if (now !== undefined && changes.length === 0) return [];
  const needs = added.map(({ path }) => path.replace(/^User:/, 'user '));
  const why = removed.length === 0 ? null : `${removed.map(({ path }) => path).join(', ')}: no member any more`;
  const risk = removed.length === 0 ? 'none' : 'access';
  return [{ kind: 'role', name, action: now === undefined ? 'create' : 'update', changes, risk, why, needs }];
}

function deletion(name: string, members: readonly string[], why: string | null): Change {
  const changes = members.map((path) => ({ path, from: isMember, to: null }));
  return { kind: 'role', name, action: 'delete', changes, risk: 'access', why };
}

/** Makes the change of one role; its ACLs are a kind of their own. */
async function applyRole(context: Context, { name, action, changes }: Change): Promise<void> {
  const admin = await context.admin();
  if (action === 'delete') return await admin.deleteRole(name, false);
  if (action === 'create') await admin.createRole(name);
  const add = changes.filter(({ to }) => to !== null).map(({ path }) => memberOf(path));
  const remove = changes.filter(({ to }) => to === null).map(({ path }) => memberOf(path));
  // New ones before old ones: nobody is without rights in between.
  if (add.length > 0) await admin.changeMembers(name, { add });
  if (remove.length > 0) await admin.changeMembers(name, { remove });
}
