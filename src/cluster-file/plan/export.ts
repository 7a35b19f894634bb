import type { Context } from '../../context.ts';
import type { Kind, Owns, Scope, Sections, Wanted } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { headOf, matcherOf } from './ownership.ts';
import { isWithout } from './plan.ts';

/**
 * Describes a cluster as a file: what was set, sorted.
 * @param patterns only what they match, which the file then owns; none: everything, and it owns nothing
 */
export async function exportedDocument(context: Context, patterns: readonly string[]): Promise<Sections> {
  const owns = matcherOf(patterns) ?? (() => true);
  const scope = { wanted: new Map<string, Wanted>(), owns };
  const sections = await Promise.all(kinds.map((kind) => sectionsOf(context, kind, scope)));
  return { ...headOf(patterns), ...joinedSections(sections) };
}

/** The sections of all kinds; a list may be of several. */
function joinedSections(all: readonly Sections[]): Sections {
  const joined: Record<string, unknown> = {};
  for (const [name, section] of all.flatMap(Object.entries)) {
    const earlier = joined[name];
    joined[name] = Array.isArray(earlier) && Array.isArray(section) ? [...earlier, ...section] : section;
  }
  return joined;
}

async function sectionsOf(
  context: Context,
  kind: Kind,
  scope: Scope<Wanted> & { readonly owns: Owns },
): Promise<Sections> {
  try {
    const existing = await kind.read(context, scope);
    for (const notice of kind.notices?.(scope, existing) ?? []) context.noticeAfter(notice);
    return kind.export(existing, scope.owns);
  } catch (error) {
    if (!isWithout(error)) throw error;
    // Redpanda may have what it cannot list; Kafka has nothing of what it does not know.
    const mayHave = (await (await context.kafka()).isRedpanda()) === true;
    if (mayHave) context.noticeAfter(`without ${kind.noun}s: ${(error as Error).message}`);
    return {};
  }
}
