import { isObject } from '../../shape/object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { SchemaError } from '../schema.ts';
import { type Draft, defaultDraft, draftNamed } from './drafts.ts';
import { innerSchemas, Misshapen } from './keywords.ts';
import { resolveUri, splitFragment } from './uri.ts';

/** A schema with an address of its own: a document, or a part of one that has an `$id`. */
export interface Resource {
  readonly uri: string;
  readonly root: JsonValue;
  readonly draft: Draft;
  readonly anchors: Map<string, JsonObject>;
  /** Those of `$dynamicAnchor`; the name of `$recursiveAnchor` is empty. */
  readonly dynamicAnchors: Map<string, JsonObject>;
}

/** A schema and the resource that it is part of, which decides what its references mean. */
export interface Subschema {
  readonly schema: JsonValue;
  readonly resource: Resource;
}

/** A document by the name that others have for it. */
export interface NamedDocument {
  readonly name: string;
  readonly schema: JsonValue;
}

/** Finds schemas by reference, only among the given documents. */
export interface Library {
  readonly root: Subschema;
  readonly resources: ReadonlySet<Resource>;
  /** Returns what a reference in `from` refers to; undefined if it is not there. */
  find(reference: string, from: Resource): Subschema | undefined;
  /** Returns a schema directly within another one. */
  subschemaOf(schema: JsonValue, outer: Resource): Subschema;
}

type Homes = ReadonlyMap<JsonValue, Resource>;

/** Schemas made by people have up to some ten thousand parts. */
const mostParts = 200_000;

/** What addresses without a scheme are relative to; it is never shown, and no schema can name it. */
const nowhere = 'weir:///';

/**
 * Reads the addresses of a schema and of its references. A reference is found by its own address, by its name relative
 * to the address of the schema (as in Confluent's serializers), or by its name as it is.
 * @throws SchemaError if a keyword is set to something that it cannot have
 */
export function createLibrary(schema: JsonValue, references: readonly NamedDocument[]): Library {
  const resources = new Set<Resource>();
  const byUri = new Map<string, Resource>();
  const byName = new Map<string, Resource>();
  const homes = new Map<JsonValue, Resource>();

  const enter = (subschema: Omit<Subschema, 'resource'>, uri: string, draft: Draft): Resource => {
    const made = { uri, root: subschema.schema, draft, anchors: new Map(), dynamicAnchors: new Map() };
    resources.add(made);
    if (!byUri.has(uri)) byUri.set(uri, made);
    return made;
  };

  /** Notes the resource of every schema in one, without recursion. */
  const index = (start: JsonValue, resource: Resource, label: string) => {
    const open = [{ schema: start, resource, path: label }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isObject(next.schema) || homes.has(next.schema)) continue;
      const home = homeOf(next.schema, next.resource, enter);
      homes.set(next.schema, home);
      if (homes.size > mostParts) throw new SchemaError(`the schema has more than ${mostParts} parts`);
      noteAnchors(next.schema, home);
      for (const { schema: inner, steps } of shaped(next.schema, home.draft, next.path)) {
        open.push({ schema: inner, resource: home, path: `${next.path}/${steps.join('/')}` });
      }
    }
  };

  const add = (document: JsonValue, at: { readonly uri: string; readonly draft: Draft; readonly label: string }) => {
    const draft = (isObject(document) ? draftNamed(document.$schema) : undefined) ?? at.draft;
    const id = idOf(document, draft, true);
    const resource = enter({ schema: document }, id === undefined ? at.uri : resolveUri(at.uri, id), draft);
    if (!byUri.has(at.uri)) byUri.set(at.uri, resource);
    index(document, resource, at.label);
    return resource;
  };

  const root = add(schema, { uri: nowhere, draft: defaultDraft, label: '' });
  for (const { name, schema: document } of references) {
    const uri = splitFragment(name)[0];
    const resource = add(document, { uri: resolveUri(root.uri, uri), draft: root.draft, label: name });
    byName.set(uri, resource);
  }

  const subschemaOf = (inner: JsonValue, outer: Resource): Subschema => {
    if (isObject(inner) && !homes.has(inner)) index(inner, outer, '');
    return { schema: inner, resource: homes.get(inner) ?? outer };
  };

  return {
    root: subschemaOf(schema, root),
    resources,
    subschemaOf,
    find: (reference, from) => {
      const [uri, fragment = ''] = splitFragment(reference);
      const resource = uri === '' ? from : (byUri.get(resolveUri(from.uri, uri)) ?? byName.get(uri));
      const subschema = resource && within(resource, unescaped(fragment), homes);
      return subschema && subschemaOf(subschema.schema, subschema.resource);
    },
  };
}

/** Returns the resource that a schema belongs to: one of its own if it has an address. */
function homeOf(
  schema: JsonObject,
  outer: Resource,
  enter: (subschema: Omit<Subschema, 'resource'>, uri: string, draft: Draft) => Resource,
): Resource {
  if (schema === outer.root) return outer;
  // An embedded schema may be of another draft, which decides how its address is written.
  const draft = draftNamed(schema.$schema) ?? outer.draft;
  const id = idOf(schema, draft, false);
  return id === undefined ? outer : enter({ schema }, resolveUri(outer.uri, id), draft);
}

/** Returns the address that a schema states, without a fragment. */
function idOf(schema: JsonValue, draft: Draft, isDocument: boolean): string | undefined {
  if (!isObject(schema)) return undefined;
  // The address of a whole document counts next to `$ref` too, as generators of schemas mean it.
  if (draft <= 7 && typeof schema.$ref === 'string' && !isDocument) return undefined;
  const id = draft === 4 ? schema.id : schema.$id;
  return typeof id === 'string' ? splitFragment(id)[0] || undefined : undefined;
}

function noteAnchors(schema: JsonObject, { draft, anchors, dynamicAnchors, root }: Resource): void {
  const id = draft === 4 ? schema.id : schema.$id;
  const [, name = ''] = draft <= 7 && typeof id === 'string' ? splitFragment(id) : [];
  if (name !== '' && typeof schema.$ref !== 'string') anchors.set(name, schema);
  if (draft >= 2019 && typeof schema.$anchor === 'string') anchors.set(schema.$anchor, schema);
  if (draft === 2019 && schema.$recursiveAnchor === true && schema === root) dynamicAnchors.set('', schema);
  if (draft === 2020 && typeof schema.$dynamicAnchor === 'string') {
    anchors.set(schema.$dynamicAnchor, schema);
    dynamicAnchors.set(schema.$dynamicAnchor, schema);
  }
}

function shaped(schema: JsonObject, draft: Draft, path: string) {
  try {
    return innerSchemas(schema, draft);
  } catch (error) {
    if (!(error instanceof Misshapen)) throw error;
    throw new SchemaError(`invalid JSON Schema: ${path}/${error.keyword} ${error.message}`);
  }
}

/** Finds the root of a resource, an anchor, or what a JSON pointer points to. */
function within(resource: Resource, fragment: string, homes: Homes): Subschema | undefined {
  if (fragment === '') return { schema: resource.root, resource };
  if (!fragment.startsWith('/')) {
    const schema = resource.anchors.get(fragment);
    return schema && { schema, resource };
  }
  const steps = fragment.split('/').slice(1);
  const target = follow(resource, steps, homes);
  // Confluent's serializers find what is in "definitions" under its later name too.
  return target ?? (steps[0] === '$defs' ? follow(resource, ['definitions', ...steps.slice(1)], homes) : undefined);
}

function follow(from: Resource, steps: readonly string[], homes: Homes): Subschema | undefined {
  let [schema, resource] = [from.root, from];
  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const inner = Object.hasOwn(Object(schema), key) ? (schema as JsonObject)[key] : undefined;
    if (inner === undefined) return undefined;
    schema = inner;
    // The rest of the pointer is within a part that has an address of its own.
    resource = homes.get(inner) ?? resource;
  }
  return typeof schema === 'boolean' || isObject(schema) ? { schema, resource } : undefined;
}

/** Decodes a fragment; one that is not encoded properly is taken as it is. */
function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
