import { type Answer, type Call, refusal } from '../../registry/scripted-registry.ts';
import { createRegistryAcls } from './registry-acls.ts';

interface Version {
  readonly version: number;
  readonly id: number;
  isDeleted: boolean;
}

interface Reference {
  readonly name: string;
  readonly subject: string;
  readonly version: number;
}

/** What the body of a request may have. */
interface Body {
  readonly schema?: string;
  readonly schemaType?: string;
  readonly references?: readonly Reference[];
  readonly compatibility?: string;
  readonly mode?: string;
  readonly metadata?: unknown;
  /** In mode IMPORT. */
  readonly id?: number;
  readonly version?: number;
}

interface Stored {
  readonly id: number;
  readonly schema: string;
  readonly schemaType: string;
  readonly references: readonly Reference[];
  /** A part of what an id stands for. */
  readonly metadata?: unknown;
}

/** Those of releases that `Vendor` names. */
const modesOf = {
  confluent: new Set(['READWRITE', 'READONLY', 'IMPORT', 'FORWARD', 'READONLY_OVERRIDE']),
  redpanda: new Set(['READWRITE', 'READONLY']),
  redpanda26: new Set(['READWRITE', 'READONLY', 'IMPORT']),
} as const;

/**
 * Whose registry it is like, where Confluent's, Redpanda's of December 2024 and Redpanda's of July 2026 answer in different
 * ways.
 */
export type Vendor = 'confluent' | 'redpanda' | 'redpanda26';

/** The context whose settings apply to every context without one of its own, the default one too. */
const everyContext = ':.__GLOBAL:';

/** Whether a schema of Avro is not a record without fields, which no registry accepts. */
const isWhole = (schema: string): boolean => !/"type":\s*"record"/.test(schema) || /"fields"/.test(schema);

/**
 * Answers as the API is documented, for what the real registry of the tests does not have: modes, contexts, and the
 * strict order of soft and permanent deletion. A schema is incompatible if its text has the word "incompatible"; with
 * "transitive", only with versions before the latest.
 * @param isLiteral whether `:.staging:orders` is the name of a subject of the default context, as in Redpanda if
 * `schema_registry_enable_qualified_subjects` is false (26: src/v/pandaproxy/schema_registry/types.cc:71)
 */
export function createMemoryRegistry(
  vendor: Vendor = 'confluent',
  { isLiteral = false }: { readonly isLiteral?: boolean } = {},
): (call: Call) => Answer {
  const isRedpanda = vendor !== 'confluent';
  const hasContexts = vendor !== 'redpanda' && !isLiteral;
  const modes: ReadonlySet<string> = modesOf[vendor];
  /** The context of a subject, such as `:.staging:`; '' is the default one. */
  const contextOf = (subject: string): string => {
    const [context = ''] = hasContexts ? (/^:\.[^:]*:/.exec(subject) ?? []) : [];
    return context === ':.:' ? '' : context;
  };
  /** Whether a reference of a schema of `owner` is to `subject`. */
  const isTo = (reference: Reference, owner: string, subject: string): boolean =>
    [reference.subject, contextOf(owner) + reference.subject].includes(subject);
  const acls = createRegistryAcls();
  /** By context: each counts its own ids. */
  const stored = new Map<string, Stored[]>();
  const schemasIn = (context: string): Stored[] => {
    const schemas = stored.get(context) ?? [];
    stored.set(context, schemas);
    return schemas;
  };
  const schemaOf = (subject: string, id: number) => schemasIn(contextOf(subject)).find((one) => one.id === id);
  const notServed: Answer = isRedpanda
    ? [404, { message: 'Not found', code: 404 }]
    : [404, { error_code: 404, message: 'HTTP 404 Not Found' }];
  const subjects = new Map<string, Version[]>();
  /** Of the default context under '', of others under their names, such as `:.staging:`. */
  const levels = new Map<string, string>();
  const modesBySubject = new Map<string, string>();
  /** A setting (26: src/v/pandaproxy/schema_registry/store.h:597; of Confluent: InMemoryCache.config). */
  function settingOf(own: ReadonlyMap<string, string>, scope: string, toGlobal: boolean, builtIn: string) {
    const isTop = scope === '' || scope === everyContext;
    if (!toGlobal) return own.get(scope) ?? (isTop ? builtIn : undefined);
    return own.get(scope) ?? own.get(contextOf(scope)) ?? own.get(everyContext) ?? builtIn;
  }
  const modeOf = (subject: string) => settingOf(modesBySubject, subject, true, 'READWRITE');

  const live = (subject: string): Version[] => (subjects.get(subject) ?? []).filter(({ isDeleted }) => !isDeleted);
  const noSubject = (subject: string): Answer => refusal(40401, `Subject '${subject}' not found.`);
  const bodyOf = ({ version, id }: Version, subject: string): Answer => {
    const empty = { schema: '', schemaType: '', references: [], metadata: undefined };
    const { schema, schemaType, references, metadata } = schemaOf(subject, id) ?? empty;
    const type = schemaType === 'AVRO' ? {} : { schemaType };
    return [200, { subject, version, id, ...type, ...(references.length > 0 && { references }), schema, metadata }];
  };
  function idOf(subject: string, { schema = '', schemaType = 'AVRO', metadata }: Body): number | undefined {
    const text = vendor === 'redpanda26' ? JSON.stringify(metadata) : undefined;
    const schemas = schemasIn(contextOf(subject)).filter((one) => JSON.stringify(one.metadata) === text);
    return schemas.find((one) => one.schema === schema && one.schemaType === schemaType)?.id;
  }
  const kept = ({ metadata }: Body) => (vendor === 'redpanda26' ? metadata : undefined);
  function register(subject: string, body: Body): Answer {
    if (modeOf(subject) === 'READONLY') return refusal(42205, `Subject ${subject} is in read-only mode`);
    const { schema = '', schemaType = 'AVRO', references = [] } = body;
    const isImport = modeOf(subject) === 'IMPORT';
    if ((body.id !== undefined || body.version !== undefined) && !isImport)
      return refusal(42205, `Subject ${subject} is not in import mode`);
    if (schemaType === 'AVRO' && !isWhole(schema))
      return refusal(42201, 'Invalid schema of type AVRO, details: Record has no fields');
    if (schema.includes('incompatible'))
      return refusal(isRedpanda ? 409 : 40901, 'Schema being registered is incompatible');
    const schemas = schemasIn(contextOf(subject));
    if (body.id !== undefined) return importAs(subject, { ...body, id: body.id });
    if (!idOf(subject, body)) {
      const id = Math.max(0, ...schemas.map((one) => one.id)) + 1;
      schemas.push({ id, schema, schemaType, references, metadata: kept(body) });
    }
    const id = idOf(subject, body) ?? 0;
    if (!live(subject).some((one) => one.id === id)) {
      const all = subjects.get(subject) ?? [];
      subjects.set(subject, [...all, { version: (all.at(-1)?.version ?? 0) + 1, id, isDeleted: false }]);
    }
    // Not every release of Confluent's registry adds the version.
    return [
      200,
      body.references === undefined || vendor === 'redpanda' ? { id } : { id, version: versionWith(subject, id) },
    ];
  }
  /** Registers a schema under an id and a version that were chosen. */
  function importAs(subject: string, { id, version, ...body }: Body & { readonly id: number }): Answer {
    const { schema = '', schemaType = 'AVRO', references = [] } = body;
    const known = schemaOf(subject, id);
    if (known !== undefined && (known.schema !== schema || known.schemaType !== schemaType))
      return refusal(42205, `Overwrite new schema with id ${id} is not permitted.`);
    const names = (one: Reference) => [one.subject, contextOf(subject) + one.subject];
    const isThere = (one: Reference) =>
      names(one).some((name) => (subjects.get(name) ?? []).some(({ version }) => version === one.version));
    if (!references.every(isThere)) return refusal(42201, 'Invalid schema: no schema reference found');
    // 26: src/v/pandaproxy/schema_registry/store.h:430 (project_ids).
    if (isRedpanda && live(subject).some((one) => one.id === id && one.version !== version))
      return [200, { id, version: -1 }];
    if (known === undefined)
      schemasIn(contextOf(subject)).push({ id, schema, schemaType, references, metadata: kept(body) });
    const others = (subjects.get(subject) ?? []).filter((one) => one.version !== version);
    const made = { version: version ?? (others.at(-1)?.version ?? 0) + 1, id, isDeleted: false };
    subjects.set(
      subject,
      [...others, made].sort((a, b) => a.version - b.version),
    );
    return [200, { id }];
  }
  function versionOf(subject: string, word: string, deleted: boolean): Version | Answer {
    const versions = deleted ? (subjects.get(subject) ?? []) : live(subject);
    if (versions.length === 0) return noSubject(subject);
    const found = word === 'latest' ? versions.at(-1) : versions.find(({ version }) => String(version) === word);
    return found ?? refusal(40402, `Version ${word} not found.`);
  }
  const isReferred = (subject: string, version: number): boolean =>
    [...subjects].some(([name, versions]) =>
      versions.some(({ id, isDeleted }) => {
        const { references = [] } = schemaOf(name, id) ?? {};
        return !isDeleted && references.some((one) => isTo(one, name, subject) && one.version === version);
      }),
    );
  function deleteVersion(subject: string, word: string, permanent: boolean): Answer {
    const found = versionOf(subject, word, permanent);
    if (found === undefined || !('version' in found)) {
      const hidden = versionOf(subject, word, true);
      return hidden !== undefined && 'version' in hidden && live(subject).length > 0
        ? refusal(40406, `Subject '${subject}' Version ${word} was soft deleted.`)
        : found;
    }
    if (permanent && !found.isDeleted)
      return refusal(40407, `Subject '${subject}' Version ${word} was not deleted first before permanently deleted`);
    if (isReferred(subject, found.version)) return refusal(42206, 'One or more references exist to the schema');
    if (permanent)
      subjects.set(
        subject,
        (subjects.get(subject) ?? []).filter((one) => one !== found),
      );
    found.isDeleted = true;
    return [200, found.version];
  }
  function deleteSubject(subject: string, permanent: boolean): Answer {
    const versions = permanent ? (subjects.get(subject) ?? []) : live(subject);
    if (versions.length === 0) return noSubject(subject);
    if (permanent && live(subject).length > 0)
      return refusal(40405, `Subject '${subject}' was not deleted first before being permanently deleted`);
    if (versions.some(({ version }) => isReferred(subject, version)))
      return refusal(42206, 'One or more references exist to the schema');
    for (const one of versions) one.isDeleted = true;
    if (permanent) subjects.delete(subject);
    return [200, versions.map(({ version }) => version)];
  }
  const versionWith = (subject: string, id: number): number | undefined =>
    live(subject).findLast((one) => one.id === id)?.version;
  /** About an id of the context of the parameter `subject`. */
  function idCall(id: number, [what]: readonly string[], { searchParams }: URL): Answer {
    const named = searchParams.get('subject') ?? '';
    const context = contextOf(named);
    const found = schemaOf(context, id);
    // In a context, Redpanda 26.1 finds only ids that the subject has, if one is named besides it.
    const isElsewhere =
      context !== named && context !== '' && !(subjects.get(named) ?? []).some((one) => one.id === id);
    if (found === undefined || isElsewhere) return refusal(40403, `Schema ${id} not found`);
    if (what === undefined) return [200, found];
    const isDeletedWanted = searchParams.get('deleted') === 'true' && (!isRedpanda || what === 'subjects');
    const places = [...subjects].flatMap(([subject, all]) => {
      const versions = isDeletedWanted ? all : live(subject);
      const isHere = contextOf(subject) === context;
      return versions.flatMap(({ version, id: one }) => (one === id && isHere ? [{ subject, version }] : []));
    });
    return [200, what === 'versions' ? places : places.map(({ subject }) => subject)];
  }
  function compatibility({ body }: Call, [, subject = '', , version]: readonly string[]): Answer {
    if (version === undefined && isRedpanda) return notServed;
    if (live(subject).length === 0 && isRedpanda) return noSubject(subject);
    if (version !== undefined && version !== 'latest') {
      const found = versionOf(subject, version, false);
      if (found === undefined || !('version' in found)) return refusal(40402, `Version ${version} not found.`);
    }
    const isAgainstAll = version === undefined || isRedpanda;
    const isCompatible = !body.includes('incompatible') && !(body.includes('transitive') && isAgainstAll);
    return [200, { is_compatible: isCompatible, messages: isCompatible ? [] : ['the type of "id" changed'] }];
  }
  function referringTo(subject: string, word: string): Answer {
    const found = versionOf(subject, word, false);
    if (found === undefined || !('version' in found)) return found;
    // Those of all contexts, which it does not name.
    const ids = [...stored].flatMap(([context, all]) =>
      all.filter(({ references }) =>
        references.some((one) => isTo(one, context, subject) && one.version === found.version),
      ),
    );
    return [200, [...new Set(ids.map(({ id }) => id))]];
  }
  function config({ method, body }: Call, subject: string, toGlobal: boolean): Answer {
    if (method === 'PUT') levels.set(subject, (JSON.parse(body) as Body).compatibility ?? '');
    const own = levels.get(subject);
    if (method === 'DELETE') {
      if (own === undefined) return refusal(40401, `Subject '${subject}' not found.`);
      levels.delete(subject);
      return [200, { compatibility: own }];
    }
    if (method === 'PUT') return [200, { compatibility: own }];
    // Redpanda of 2024 has no level for a subject that does not exist.
    const isKnown = vendor !== 'redpanda' || subject === '' || live(subject).length > 0;
    const found = isKnown ? settingOf(levels, subject, toGlobal, 'BACKWARD') : undefined;
    if (found !== undefined) return [200, { compatibilityLevel: found }];
    return refusal(40408, `Subject '${subject}' does not have subject-level compatibility configured`);
  }
  function mode({ method, body, path }: Call, subject: string, toGlobal: boolean): Answer {
    const own = modesBySubject.get(subject);
    if (method === 'DELETE') {
      if (own === undefined) return refusal(40401, `Subject '${subject}' not found.`);
      modesBySubject.delete(subject);
      return [200, { mode: own }];
    }
    if (method === 'PUT') {
      const { mode: wanted = '' } = JSON.parse(body) as Body;
      if (!modes.has(wanted)) return refusal(42204, 'Invalid mode');
      if (wanted === 'IMPORT' && subjects.has(subject) && !path.includes('force=true'))
        return refusal(42205, 'Cannot import since found existing subjects');
      modesBySubject.set(subject, wanted);
      return [200, { mode: wanted }];
    }
    const found = settingOf(modesBySubject, subject, toGlobal, 'READWRITE');
    if (found !== undefined) return [200, { mode: found }];
    return refusal(40409, `Subject '${subject}' does not have subject-level mode configured`);
  }
  function subjectCall(call: Call, [subject = '', what, word = '', more]: string[], has: (name: string) => boolean) {
    if (what === undefined && call.method === 'DELETE') return deleteSubject(subject, has('permanent'));
    if (what === undefined) {
      if (live(subject).length === 0 && !has('deleted')) return noSubject(subject);
      const found = (has('deleted') ? (subjects.get(subject) ?? []) : live(subject)).find(
        ({ id }) => id === idOf(subject, JSON.parse(call.body) as Body),
      );
      return found === undefined ? refusal(40403, 'Schema not found') : bodyOf(found, subject);
    }
    if (call.method === 'POST') return register(subject, JSON.parse(call.body) as Body);
    if (word === '') {
      const versions = has('deleted') ? (subjects.get(subject) ?? []) : live(subject);
      return versions.length === 0 ? noSubject(subject) : ([200, versions.map(({ version }) => version)] as const);
    }
    if (more === 'referencedby') return referringTo(subject, word);
    if (call.method === 'DELETE') return deleteVersion(subject, word, has('permanent'));
    const found = versionOf(subject, word, has('deleted'));
    return found !== undefined && 'version' in found ? bodyOf(found, subject) : found;
  }
  /** Those of Redpanda are made with their first subject, and are left when it is gone. */
  function contexts({ method }: Call, name: string | undefined): Answer {
    if (vendor === 'redpanda') return notServed;
    if (vendor === 'confluent') return [200, ['.', '.staging']];
    const inUse = new Set([...subjects.keys()].map(contextOf));
    const made = [...stored.keys()].filter((one) => one !== '').map((one) => one.slice(1, -1));
    if (method === 'GET') return [200, ['.', ...made]];
    if (name === '.') return refusal(42205, 'Cannot delete the default context');
    if (inUse.has(`:${name}:`)) return refusal(42211, 'The specified context is not empty');
    stored.delete(`:${name}:`);
    return [204, ''];
  }
  return (call) => {
    const url = new URL(call.path, 'http://registry.example');
    const [root = '', ...parts] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const has = (name: string): boolean => url.searchParams.get(name) === 'true';
    if (root === 'security' && vendor === 'redpanda26') return acls(call);
    if (root === 'contexts') return contexts(call, parts[0]);
    const scope = hasContexts && parts[0] === ':.:' ? '' : (parts[0] ?? '');
    if (root === 'config') return config(call, scope, has('defaultToGlobal'));
    if (root === 'mode') return mode(call, scope, has('defaultToGlobal'));
    if (root === 'status' && isRedpanda) return [200, ''];
    if (root === 'schemas' && parts[0] === 'types') return [200, ['JSON', 'PROTOBUF', 'AVRO']];
    if (root === 'schemas') return idCall(Number(parts[1]), parts.slice(2), url);
    if (root === 'compatibility') return compatibility(call, parts);
    if (root !== 'subjects') return notServed;
    if (parts.length > 0) return subjectCall(call, parts, has);
    const names = [...subjects.keys()].filter((name) => has('deleted') || live(name).length > 0);
    return [200, names.reverse()];
  };
}
