import { joinErrors } from '../../config/layer.ts';
import { CliError, usageError } from '../../errors.ts';
import { fieldsOf } from '../../shape/object.ts';
import { Unfit } from '../../shape/shape.ts';
import { documentsIn, type ReadText, readYaml, type SourceText } from '../file/yaml.ts';
import type { Sections } from '../kinds/kind.ts';
import { addEntry, type Draft, documentOf, newDraft } from './draft.ts';
import { jikkou } from './jikkou.ts';
import { redpandaOperator } from './redpanda-operator.ts';
import {
  type Find,
  type Format,
  kubernetesResource,
  type Node,
  nodesIn,
  type Piece,
  type Resource,
  unreadFields,
  type Way,
} from './resource.ts';
import { strimzi } from './strimzi.ts';
import { terraform } from './terraform.ts';
import { topicctl } from './topicctl.ts';

/** Resources of Kubernetes that say nothing about a cluster, such as a Deployment beside topics. */
const otherKubernetes: Format = {
  name: 'Kubernetes',
  resourcesIn: kubernetesResource(/./),
  readers: {},
  ignored: [],
  reasons: {},
};

/** The formats that are read; the first that knows a resource has it. A new one is a module like these. */
const formats: readonly Format[] = [topicctl, strimzi, jikkou, redpandaOperator, terraform, otherKubernetes];

const noCounterpart = 'no counterpart in a cluster file';

/** A resource that was found in a text. */
interface Found extends Resource {
  readonly format: Format;
  readonly text: ReadText;
}

/**
 * Describes what foreign files have as a cluster file.
 * @param patterns only what they match, which the file then owns; none: everything
 * @returns the document, and what is lost, in lines
 * @throws CliError (exit 2) with all that is not readable, or in no format that is known
 */
export async function importedDocument(
  sources: readonly SourceText[],
  patterns: readonly string[],
): Promise<{ readonly document: Sections; readonly losses: readonly string[] }> {
  const errors: CliError[] = [];
  const found: Found[] = [];
  for (const source of sources) found.push(...(await resourcesIn(source, errors)));
  if (errors.length > 0) throw joinErrors(errors);
  const draft = newDraft();
  const losses = lossesOf(draft, found);
  const isEmpty = [...draft.sections.values()].every(({ size }) => size === 0);
  if (!isEmpty) return { document: documentOf(draft, patterns), losses };
  throw usageError('there is nothing to import', { hints: losses });
}

/** The name of the tool whose files a text is one of; undefined for none. */
export async function toolOf(source: SourceText): Promise<string | undefined> {
  const resources = await resourcesIn(source, []);
  return resources.find(({ format }) => format !== otherKubernetes)?.format.name;
}

/** The resources of a text; what is wrong with it is added to the errors. */
async function resourcesIn(source: SourceText, errors: CliError[]): Promise<readonly Found[]> {
  const found: Found[] = [];
  const faults: CliError[] = [];
  for (const document of documentsIn(source))
    try {
      const text = await readYaml(document);
      for (const node of nodesIn(text.value))
        for (const resource of knownIn(text, node)) found.push(await withFile(resource));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      faults.push(error);
    }
  errors.push(...(faults.length === 0 ? [] : (wholeFault(source) ?? faults)));
  return found;
}

/** The error about a text that cannot be read because of what it is as a whole. */
function wholeFault({ name, text }: SourceText): readonly CliError[] | undefined {
  const details = { code: 'FILE_INVALID', target: name };
  if (/\.tf(?:state)?$/.test(name))
    return [usageError(`${name} is a file of Terraform`, { ...details, hints: [ofTerraform] })];
  if (!text.includes('{{')) return undefined;
  const hints = text.includes('jikkou.io/') ? [] : ['render it first, for example with: helm template'];
  return [usageError(`${name} is a template, and weir reads what is made of it`, { ...details, hints })];
}

const ofTerraform = 'print its resources with: terraform show -json > state.json; and then: weir import state.json';

/** @throws CliError for a file that a resource names and that cannot be read */
async function withFile(resource: Found): Promise<Found> {
  const { format, text } = resource;
  const made = (await format.withFile?.(resource, text.read)) ?? resource;
  if (!(made instanceof Unfit)) return { ...made, format, text };
  throw joinErrors(made.faults.map((fault) => text.faultAt(fault)));
}

/** @throws CliError for a node that no format knows */
function knownIn(text: ReadText, node: Node): readonly Found[] {
  for (const format of formats) {
    const resources = format.resourcesIn(node);
    if (resources !== undefined) return resources.map((resource) => ({ ...resource, format, text }));
  }
  throw text.faultAt({ way: node.way, why: unknownReason(node.value) });
}

function unknownReason(value: unknown): string {
  const { weir, lineage, terraform_version: terraformVersion } = fieldsOf(value);
  if (weir !== undefined) return 'this is a cluster file already';
  if (lineage !== undefined && terraformVersion !== undefined)
    return `this is the state file of Terraform; ${ofTerraform}`;
  return `it is in none of the formats that are read: ${formats.map(({ name }) => name).join(', ')}`;
}

/** A part of a resource that is lost. */
interface Loss {
  readonly way?: Way | undefined;
  readonly text: string;
  /** Whether weir reads no such thing, so that nothing that it reads is lost. */
  readonly isUnread?: boolean;
}

/** Adds what a resource becomes to a draft; yields what of it is lost. */
function* takeResource(draft: Draft, resource: Found, find: Find): Iterable<Loss> {
  const { format, kind, value } = resource;
  const annotation = format.withheld?.(resource);
  const reader = format.readers[kind];
  if (annotation !== undefined)
    return yield { text: labelled(resource, `left out, because it has the annotation ${annotation}`) };
  if (reader === undefined)
    return yield { isUnread: true, text: `${kind} (${format.name}): ${format.reasons[kind] ?? noCounterpart}` };
  const taken = reader.shape.take(value);
  if (taken instanceof Unfit) {
    const field = fieldText(taken.way) || 'it';
    return yield { way: taken.way, text: labelled(resource, `${field} is missing or has another form`) };
  }
  for (const piece of reader.pieces(taken as never, { find })) yield* takePiece(draft, resource, piece);
  for (const unread of unreadFields(value, reader.shape, format.ignored))
    yield { isUnread: true, way: unread, text: ofKind(resource, reasonText(format, fieldText(unread))) };
}

function* takePiece(draft: Draft, resource: Found, piece: Piece): Iterable<Loss> {
  if ('lost' in piece) {
    const { isField = false, lost, why } = piece;
    const text = `${lost}: ${why}`;
    return yield { way: piece.way, text: isField ? ofKind(resource, text) : labelled(resource, text) };
  }
  for (const why of addEntry(draft, piece, () => placeOf(resource, piece.way)))
    yield { way: piece.way, text: labelled(resource, why) };
}

/**
 * What of the resources is lost: each kind of loss once, with its first place and how often it is there. What weir does
 * not read at all comes last.
 */
function lossesOf(draft: Draft, resources: readonly Found[]): readonly string[] {
  const byName = new Map(resources.map((one) => [keyOf(one.format, one.kind, one.name), one.value]));
  const losses = new Map<string, { readonly place: string; readonly isUnread: boolean; times: number }>();
  for (const resource of resources) {
    const find: Find = (kind, name) => byName.get(keyOf(resource.format, kind, name));
    for (const { way, text, isUnread = false } of takeResource(draft, resource, find)) {
      const loss = losses.get(text);
      if (loss === undefined) losses.set(text, { place: placeOf(resource, way), isUnread, times: 1 });
      else loss.times += 1;
    }
  }
  return [...losses]
    .sort(([, a], [, b]) => Number(a.isUnread) - Number(b.isUnread))
    .map(([text, { place, times }]) => `${place}: ${text}${times > 1 ? ` (${times} times)` : ''}`);
}

function keyOf({ name: format }: Format, kind: string, name: string): string {
  return JSON.stringify([format, kind, name]);
}

/** Where a part of a resource is. What terraform prints has one line. */
function placeOf({ format, name, text, way }: Found, inside: Way = []): string {
  return format.hasAddresses ? name : text.placeOf([...way, ...inside]);
}

/** What is said of a field, after the kind of resources that have it if their places do not have it. */
function ofKind({ format, kind }: Found, text: string): string {
  return format.hasAddresses ? text : `${kind} ${text}`;
}

/** What is said of a resource, after its name if its place does not have it. */
function labelled({ format, kind, name }: Found, text: string): string {
  return format.hasAddresses ? text : `${`${kind} ${name}`.trim()}: ${text}`;
}

/** A way without the numbers of items. */
function fieldText(way: Way): string {
  return way.filter((name) => typeof name === 'string').join('.');
}

/** A field, and why it is lost: the reason is its own, or that of a field that contains it. */
function reasonText({ reasons }: Format, field: string): string {
  const known = Object.keys(reasons).find((one) => field === one || field.startsWith(`${one}.`));
  return `${field}: ${(known !== undefined && reasons[known]) || noCounterpart}`;
}
