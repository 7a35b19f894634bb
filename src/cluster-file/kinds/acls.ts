import { isIPv6 } from 'node:net';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError } from '../../errors.ts';
import { addressText } from '../../format/ip-address.ts';
import { Acl, everyAcl, keyOfAcl, sortedAcls } from '../../kafka/cluster/access/acl-rows.ts';
import { type ResourceType, resourceTypeOf } from '../../kafka/cluster/access/acl-words.ts';
import { type Difference, isLeft } from '../plan/plan-rows.ts';
import { aclIndex, endsOwnRight, openJudge, resourceText, withAccessRisk } from './acl-access.ts';
import {
  type AclEntry,
  aclsOf,
  aclsShape,
  type GrantEntry,
  grantedAcls,
  grantsShape,
  isKnown,
  sectionsOf,
} from './acl-sections.ts';
import {
  type Change,
  type EntryWay,
  type Kind,
  kind,
  type Owns,
  type Round,
  type Scope,
  type Sections,
} from './kind.ts';
import { refused, unnamed } from './refusal.ts';
import { hasRegistry } from './schemas.ts';
import { inParts } from './sending.ts';

/** The ACLs that the files want on one resource, and those that they remove by name. */
interface WantedAcls {
  readonly name: string;
  readonly way: readonly (string | number)[];
  readonly acls: readonly Acl[];
  readonly absent: readonly Acl[];
  readonly because: string | null;
  /** Where each of `acls` is in the files, by its key. */
  readonly ways: ReadonlyMap<string, WantedAcls['way']>;
}

/** The ACLs on one resource while they are collected, by their key. */
interface AclsOfFiles extends Pick<WantedAcls, 'way'> {
  readonly acls: Map<string, Acl>;
  readonly absent: Map<string, Acl>;
  readonly ways: Map<string, WantedAcls['way']>;
  because: string | null;
}

/** The ACLs of a cluster, by the name of their resource. */
type ExistingAcls = ReadonlyMap<string, readonly Acl[]>;

/** Which field of `owns` has the patterns for a type of resources. An ACL belongs to the owner of its resource. */
const owners: Readonly<Record<string, string>> = {
  TOPIC: 'topics',
  GROUP: 'groups',
  TRANSACTIONAL_ID: 'transactional_ids',
  SUBJECT: 'subjects',
};

/** The fields of `owns` for the resources of the brokers, or of the registry. */
function ownersIn(subsystem: ResourceType['subsystem'] | undefined): readonly string[] {
  return Object.entries(owners).flatMap(([type, field]) =>
    resourceTypeOf(type)?.subsystem === subsystem ? [field] : [],
  );
}

/** Who keeps ACLs, and how they are read and changed there. */
interface Keeper {
  readonly subsystem: ResourceType['subsystem'];
  readonly title?: string;
  /** All ACLs. */
  read(context: Context, scope: Scope<WantedAcls>): Promise<readonly Acl[]>;
  /** Makes a change of ACLs; returns the error of each. */
  change(
    context: Context,
    change: 'createAcls' | 'deleteAcls',
    acls: readonly Acl[],
  ): Promise<readonly (ItemError | null)[]>;
}

/** ACLs of the brokers, as they are or as grants. */
export const acls: Kind = aclKind({
  subsystem: 'kafka',
  async read(context) {
    try {
      return (await (await context.kafka()).listAcls([everyAcl])).matches;
    } catch (error) {
      // Brokers without an authorizer have no ACLs; they refuse to create some, too.
      if (error instanceof CliError && error.code === 'SECURITY_DISABLED') return [];
      throw error;
    }
  },
  async change(context, change, acls) {
    return (await (await context.kafka())[change](acls)).map(({ error }) => error);
  },
});

const titleOfRegistry = 'ACLs of the schema registry';

/** ACLs of the schema registry of Redpanda, which keeps those of its own resources. */
export const registryAcls: Kind = aclKind({
  subsystem: 'registry',
  title: titleOfRegistry,
  async read(context, { wanted }) {
    if (wanted.size === 0) return sortedAcls(await ownedInRegistry(context));
    if (!(await hasRegistry(context)))
      throw new CliError(exitCodes.failure, notSet, { code: 'NOT_SET', target: 'registry.hosts' });
    return sortedAcls(await (await context.registry()).acls());
  },
  async change(context, change, acls) {
    await (await context.registry())[change](acls);
    return [];
  },
});

const notSet = 'registry.hosts is not set';

/** The ACLs of the registry for files that name none; none are expected outside of Redpanda. */
async function ownedInRegistry(context: Context): Promise<readonly Acl[]> {
  if ((await (await context.kafka()).isRedpanda()) !== true) return [];
  const leaveOut = (why: string) => {
    context.noticeAfter(`without ${titleOfRegistry}: ${why}`);
    return [];
  };
  if (!(await hasRegistry(context))) return leaveOut(notSet);
  try {
    return await (await context.registry()).aclsIfServed();
  } catch (error) {
    // While the registry itself checks no ACLs, only a superuser may read them (26: src/v/pandaproxy/schema_registry/auth.cc).
    if (error instanceof CliError && error.exitCode === exitCodes.auth) return leaveOut(error.message);
    throw error;
  }
}

/** One row for each resource. */
function aclKind(keeper: Keeper): Kind {
  const isKept = ({ resource_type: type }: Acl) => resourceTypeOf(type)?.subsystem === keeper.subsystem;
  const entriesIn = ({ grants = [], acls: entries = [] }: Sections) => {
    const placed = [
      ...(grants as readonly GrantEntry[]).map((entry, at) => ({
        entry,
        at,
        section: 'grants',
        of: grantedAcls(entry),
      })),
      ...(entries as readonly AclEntry[]).map((entry, at) => ({ entry, at, section: 'acls', of: aclsOf(entry) })),
    ];
    return placed.map(({ entry: { absent = false, because = null }, at, section, of }) => ({
      way: [section, at] as EntryWay,
      acls: of.filter(isKept),
      absent,
      because,
    }));
  };
  return kind<WantedAcls, ExistingAcls>({
    noun: 'acl',
    ...(keeper.title !== undefined && { title: keeper.title }),
    sections: { grants: grantsShape, acls: aclsShape },
    ownedBy: ownersIn(keeper.subsystem),

    wanted(sections) {
      const wanted = new Map<string, AclsOfFiles>();
      const at = (acl: Acl, way: AclsOfFiles['way']) => {
        const name = resourceText(acl);
        const one = wanted.get(name) ?? { way, acls: new Map(), absent: new Map(), ways: new Map(), because: null };
        one.ways.set(keyOfAcl(acl), way);
        wanted.set(name, one);
        return one;
      };
      for (const { way, acls, absent, because } of entriesIn(sections))
        for (const acl of acls) {
          const one = at(acl, way);
          (absent ? one.absent : one.acls).set(keyOfAcl(acl), acl);
          one.because ??= because;
        }
      return [...wanted].map(([name, { acls: given, absent, ...one }]) => ({
        ...one,
        name,
        acls: [...given.values()],
        absent: [...absent.values()],
      }));
    },

    ruled: {
      fields: Object.keys(Acl.fields),
      things: ({ acls: wanted, ways, way }) =>
        wanted.map((acl) => ({ way: ways.get(keyOfAcl(acl)) ?? way, fields: { ...acl } })),
    },

    contradictions(sections) {
      const wanted = new Map<string, EntryWay>();
      const entries = entriesIn(sections);
      for (const { way, acls, absent } of entries) for (const acl of absent ? [] : acls) wanted.set(keyOfAcl(acl), way);
      return entries.flatMap(({ way, acls, absent }) => {
        const kept = (absent ? acls : []).find((acl) => wanted.has(keyOfAcl(acl)));
        const first = kept && wanted.get(keyOfAcl(kept));
        if (kept === undefined || first === undefined) return [];
        const why = `wants what this removes: ${kept.principal} ${kept.operation} on ${resourceText(kept)}`;
        return [{ way, first, why }];
      });
    },

    async read(context, scope) {
      const existing = await keeper.read(context, scope);
      const hosts = hostsOf(scope);
      const isRewritten = hosts.size > 0 && (await (await context.kafka()).isRedpanda()) === true;
      const inFiles = ({ host, ...acl }: Acl) => ({ ...acl, host: hosts.get(addressText(host)) ?? host });
      return Map.groupBy(isRewritten ? existing.map(inFiles) : existing, resourceText);
    },

    compare(scope, existing, options) {
      const { prune } = options;
      const names = new Set([...scope.wanted.keys(), ...ownedNames(scope, existing)]);
      return [...names].flatMap((name): Change[] => {
        const { created, deleted, extra } = differencesOf(name, scope, existing);
        const removed = prune ? [...deleted, ...extra] : deleted;
        const because = scope.wanted.get(name)?.because ?? null;
        const rows: Change[] = [];
        if (created.length + removed.length > 0) {
          const changes = [
            ...created.map((acl) => difference(acl, true)),
            ...removed.map((acl) => difference(acl, false)),
          ];
          rows.push({
            kind: 'acl',
            name,
            action: actionOf(created, removed),
            changes,
            risk: 'none',
            why: because,
            needs: needsOf(created),
          });
        }
        if (!prune && extra.length > 0) {
          const changes = extra.map((acl) => difference(acl, false));
          rows.push(unnamed(options, (why) => ({ kind: 'acl', name, action: 'delete', changes, risk: 'none', why })));
        }
        return rows;
      });
    },

    order: ({ action, changes }) =>
      action !== 'delete' ? 70 : changes.some(({ from }) => from === 'DENY') ? 160 : 110,

    async apply(context, round, { send }) {
      const { created, deleted } = aclsOfRound(round);
      // New ones before old ones are deleted: nobody is without rights in between.
      for (const part of inParts(created, mostCreated))
        await send(part, resourceText, (due) => keeper.change(context, 'createAcls', due));
      for (const part of inParts(deleted, mostDeleted))
        await send(part, resourceText, (due) => keeper.change(context, 'deleteAcls', due));
    },

    export: (existing, owns) => sectionsOf([...existing.values()].flat().filter((acl) => isOwnedAcl(owns, acl))),

    async judge(context, round, { force }) {
      const pending = { ...round, changes: round.changes.filter((change) => !isLeft(change)) };
      if (pending.changes.length === 0) return round.changes;
      const judge = await openJudge(context);
      const { created, deleted } = aclsOfRound(pending);
      const before = [...round.existing.values()].flat();
      const gone = new Set(deleted.map(keyOfAcl));
      const states = {
        before: aclIndex(before),
        after: aclIndex([...before.filter((acl) => !gone.has(keyOfAcl(acl))), ...created]),
      };
      const endsOwn = endsOwnRight(judge, states);
      const changesByName = {
        created: Map.groupBy(created, resourceText),
        deleted: Map.groupBy(deleted, resourceText),
      };
      return round.changes.map((change) => {
        if (isLeft(change)) return change;
        const judged = withAccessRisk(change, judge, states, {
          created: changesByName.created.get(change.name) ?? [],
          deleted: changesByName.deleted.get(change.name) ?? [],
        });
        if (!endsOwn || force || !change.name.startsWith('cluster')) return judged;
        return refused({ ...judged, action: 'blocked', why: 'it ends your own right to change ACLs; --force does it' });
      });
    },
  });
}

/** The IPv6 addresses of the files: Redpanda keeps addresses and not their texts, unlike Kafka. */
function hostsOf({ wanted }: Scope<WantedAcls>): ReadonlyMap<string, string> {
  const all = [...wanted.values()].flatMap(({ acls: given, absent }) => [...given, ...absent]);
  return new Map(all.flatMap(({ host }) => (isIPv6(host) ? [[addressText(host), host] as const] : [])));
}

/** The most ACLs in one request; the controller is slow to delete many. */
const mostCreated = 2000;
const mostDeleted = 200;

/** The names of existing resources that the files own. */
function ownedNames({ owns }: Scope<WantedAcls>, existing: ExistingAcls): readonly string[] {
  if (owns === undefined) return [];
  return [...existing].flatMap(([name, acls]) => (acls.some((acl) => isOwnedAcl(owns, acl)) ? [name] : []));
}

/** Whether files that own names own an ACL. That of the cluster or registry itself belongs to who owns everything there. */
export function isOwnedAcl(owns: Owns, acl: Acl): boolean {
  if (!isKnown(acl)) return false;
  const field = owners[acl.resource_type];
  if (field !== undefined) return owns(acl.resource_name, field);
  return ownersIn(resourceTypeOf(acl.resource_type)?.subsystem).every((one) => owns('', one));
}

/** What is to be created and deleted on a resource, and what the files own there and do not name. */
function differencesOf(name: string, { wanted, owns }: Scope<WantedAcls>, existing: ExistingAcls) {
  const given = existing.get(name) ?? [];
  const keys = new Set(given.map(keyOfAcl));
  const { acls: wantedAcls = [], absent = [] } = wanted.get(name) ?? {};
  const wantedKeys = new Set(wantedAcls.map(keyOfAcl));
  const absentKeys = new Set(absent.map(keyOfAcl));
  const others = given.filter((acl) => !wantedKeys.has(keyOfAcl(acl)));
  return {
    created: wantedAcls.filter((acl) => !keys.has(keyOfAcl(acl))),
    deleted: others.filter((acl) => absentKeys.has(keyOfAcl(acl))),
    extra: owns === undefined ? [] : others.filter((acl) => !absentKeys.has(keyOfAcl(acl)) && isOwnedAcl(owns, acl)),
  };
}

function difference(acl: Acl, isNew: boolean): Difference {
  const { principal, operation, host, permission } = acl;
  const path = `${principal} ${operation}${host === '*' ? '' : ` from ${host}`}`;
  return isNew ? { path, from: null, to: permission } : { path, from: permission, to: null };
}

function actionOf(created: readonly Acl[], removed: readonly Acl[]): Change['action'] {
  if (removed.length === 0) return 'create';
  return created.length === 0 ? 'delete' : 'update';
}

/** The user or the role that all created ACLs are about: without it they are of no use. */
function needsOf(created: readonly Acl[]): readonly string[] {
  const [only, ...others] = new Set(created.map(({ principal }) => principal));
  return only === undefined || others.length > 0
    ? []
    : [only.replace(/^User:/, 'user ').replace(/^RedpandaRole:/, 'role ')];
}

/** The ACLs that a round creates and deletes: those whose differences its rows have. */
function aclsOfRound({ changes, scope, existing }: Round<WantedAcls, ExistingAcls>) {
  const created: Acl[] = [];
  const deleted: Acl[] = [];
  for (const { name, changes: differences } of changes) {
    const one = differencesOf(name, scope, existing);
    const planned = new Set(differences.map((given) => JSON.stringify(given)));
    const isPlanned = (isNew: boolean) => (acl: Acl) => planned.has(JSON.stringify(difference(acl, isNew)));
    created.push(...one.created.filter(isPlanned(true)));
    deleted.push(...[...one.deleted, ...one.extra].filter(isPlanned(false)));
  }
  return { created, deleted };
}
