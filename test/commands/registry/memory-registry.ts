import { type Answer, type Call, refusal } from '../../registry/scripted-registry.ts';

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
}

interface Stored {
  readonly schema: string;
  readonly schemaType: string;
  readonly references: readonly Reference[];
}

const modes = new Set(['READWRITE', 'READONLY', 'IMPORT']);

/**
 * Answers as the API is documented, for two cases that the real registry of the tests does not have: modes, and the
 * strict order of soft and permanent deletion. A schema is incompatible if its text has the word "incompatible".
 */
export function createMemoryRegistry(): (call: Call) => Answer {
  const schemas: Stored[] = [];
  const subjects = new Map<string, Version[]>();
  const levels = new Map<string, string>([['', 'BACKWARD']]);
  const modesBySubject = new Map<string, string>([['', 'READWRITE']]);

  const live = (subject: string): Version[] => (subjects.get(subject) ?? []).filter(({ isDeleted }) => !isDeleted);
  const noSubject = (subject: string): Answer => refusal(40401, `Subject '${subject}' not found.`);
  const bodyOf = ({ version, id }: Version, subject: string): Answer => {
    const { schema, schemaType, references } = schemas[id - 1] ?? { schema: '', schemaType: '', references: [] };
    const type = schemaType === 'AVRO' ? {} : { schemaType };
    return [200, { subject, version, id, ...type, ...(references.length > 0 && { references }), schema }];
  };
  function idOf({ schema = '', schemaType = 'AVRO' }: Body): number | undefined {
    const at = schemas.findIndex((one) => one.schema === schema && one.schemaType === schemaType);
    return at < 0 ? undefined : at + 1;
  }
  function register(subject: string, body: Body): Answer {
    if (modesBySubject.get(subject) === 'READONLY') return refusal(42205, `Subject ${subject} is in read-only mode`);
    const { schema = '', schemaType = 'AVRO', references = [] } = body;
    if (schema.includes('incompatible')) return refusal(409, 'Schema being registered is incompatible');
    if (!idOf(body)) schemas.push({ schema, schemaType, references });
    const id = idOf(body) ?? 0;
    if (!live(subject).some((one) => one.id === id)) {
      const all = subjects.get(subject) ?? [];
      subjects.set(subject, [...all, { version: (all.at(-1)?.version ?? 0) + 1, id, isDeleted: false }]);
    }
    return [200, { id }];
  }
  function versionOf(subject: string, word: string, deleted: boolean): Version | Answer {
    const versions = deleted ? (subjects.get(subject) ?? []) : live(subject);
    if (versions.length === 0) return noSubject(subject);
    const found = word === 'latest' ? versions.at(-1) : versions.find(({ version }) => String(version) === word);
    return found ?? refusal(40402, `Version ${word} not found.`);
  }
  const isReferred = (subject: string, version: number): boolean =>
    [...subjects.values()].flat().some(({ id, isDeleted }) => {
      const { references = [] } = schemas[id - 1] ?? {};
      return !isDeleted && references.some((one) => one.subject === subject && one.version === version);
    });
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
  function placesOf(id: number): Answer {
    const places = [...subjects].flatMap(([subject]) =>
      live(subject).flatMap(({ version, id: one }) => (one === id ? [{ subject, version }] : [])),
    );
    return schemas[id - 1] === undefined ? refusal(40403, `Schema ${id} not found`) : [200, places];
  }
  function referringTo(subject: string, word: string): Answer {
    const found = versionOf(subject, word, false);
    if (found === undefined || !('version' in found)) return found;
    const refers = ({ references }: Stored) =>
      references.some((one) => one.subject === subject && one.version === found.version);
    return [200, schemas.flatMap((one, at) => (refers(one) ? [at + 1] : []))];
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
    if (own !== undefined) return [200, { compatibilityLevel: own }];
    if (toGlobal && subjects.has(subject)) return [200, { compatibilityLevel: levels.get('') }];
    return refusal(40408, `Subject '${subject}' does not have subject-level compatibility configured`);
  }
  function mode({ method, body }: Call, subject: string, toGlobal: boolean): Answer {
    const own = modesBySubject.get(subject);
    if (method === 'DELETE') {
      if (own === undefined) return refusal(40401, `Subject '${subject}' not found.`);
      modesBySubject.delete(subject);
      return [200, { mode: own }];
    }
    if (method === 'PUT') {
      const { mode: wanted = '' } = JSON.parse(body) as Body;
      if (!modes.has(wanted)) return refusal(42204, 'Invalid mode');
      modesBySubject.set(subject, wanted);
      return [200, { mode: wanted }];
    }
    if (own !== undefined) return [200, { mode: own }];
    if (toGlobal) return [200, { mode: modesBySubject.get('') }];
    return refusal(40409, `Subject '${subject}' does not have subject-level mode configured`);
  }
  function subjectCall(call: Call, [subject = '', what, word = '', more]: string[], has: (name: string) => boolean) {
    if (what === undefined && call.method === 'DELETE') return deleteSubject(subject, has('permanent'));
    if (what === undefined) {
      if (live(subject).length === 0) return noSubject(subject);
      const found = live(subject).find(({ id }) => id === idOf(JSON.parse(call.body) as Body));
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
  return (call) => {
    const url = new URL(call.path, 'http://registry.example');
    const [root = '', ...parts] = url.pathname.split('/').slice(1).map(decodeURIComponent);
    const has = (name: string): boolean => url.searchParams.get(name) === 'true';
    if (root === 'contexts') return [200, ['.', '.staging']];
    if (root === 'config') return config(call, parts[0] ?? '', has('defaultToGlobal'));
    if (root === 'mode') return mode(call, parts[0] ?? '', has('defaultToGlobal'));
    if (root === 'schemas' && parts[2] === 'versions') return placesOf(Number(parts[1]));
    if (root === 'schemas') {
      const found = schemas[Number(parts[1]) - 1];
      return found === undefined ? refusal(40403, `Schema ${parts[1]} not found`) : [200, found];
    }
    if (root === 'compatibility') {
      const isCompatible = !call.body.includes('incompatible');
      return [200, { is_compatible: isCompatible, messages: isCompatible ? [] : ['the type of "id" changed'] }];
    }
    if (root !== 'subjects') return [404, ''];
    if (parts.length > 0) return subjectCall(call, parts, has);
    const names = [...subjects.keys()].filter((name) => has('deleted') || live(name).length > 0);
    return [200, names.reverse()];
  };
}
