import type { RoleMember } from '../../admin/access/access-rows.ts';
import type { Context } from '../../context.ts';
import { compareText } from '../../format/order.ts';
import { described, filled, leftOut, type RowOf, Unfit } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, fields, items, parsed } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Change, type Kind, kind } from './kind.ts';
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

/** The members of each role. */
type ExistingRoles = ReadonlyMap<string, readonly string[]>;

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
    things: ({ name, way, absent, members }, existing) =>
      absent === true ? [] : [{ way, fields: { name, members: members ?? existing.get(name) ?? [] } }],
  },

  async read(context, { wanted, owns }) {
    if (wanted.size === 0 && !(await hasAdmin(context))) return new Map();
    const admin = await context.admin();
    const names = (await admin.roles()).filter((name) => wanted.has(name) || owns?.(name) === true);
    const members = await Promise.all(names.map((name) => admin.roleMembers(name, 'leader')));
    return new Map(names.map((name, at) => [name, (members[at] ?? []).map(memberText).sort(compareText)] as const));
  },

  compare({ wanted, owns }, existing, options) {
    const named = [...wanted.values()].flatMap((role) => compareRole(role, existing.get(role.name)));
    const others = [...existing].filter(([name]) => !wanted.has(name) && owns?.(name) === true);
    return [...named, ...others.map(([name, members]) => unnamed(options, (why) => deletion(name, members, why)))];
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

  export(existing, owns) {
    const owned = [...existing].filter(([name]) => owns(name));
    if (owned.length === 0) return {};
    return { roles: Object.fromEntries(owned.map(([name, members]) => [name, { members }] as const)) };
  },
});

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
