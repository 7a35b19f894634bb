import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { once } from '../../../once.ts';
import { type ContextValues, prefixOf, requireContexts } from '../../schema-context.ts';

/** Whose records are decoded. */
export interface RecordTopics extends ContextValues {
  readonly topics: readonly string[];
  /** Whether `topics` are regular expressions. */
  readonly regex: boolean;
}

/**
 * Returns what finds out, once, in which context of the registry the schema ids of records are: that of the line, or the
 * one that the topics have as a property (Redpanda 26.2 and newer); '' is the default one.
 * @throws CliError (exit 2) if the topics are in different contexts
 */
export function recordContext(context: Context, values: RecordTopics): () => Promise<string> {
  return once(() => findContext(context, values));
}

async function findContext(context: Context, values: RecordTopics): Promise<string> {
  if (values.schemaContext !== undefined) {
    await requireContexts(context, values);
    return prefixOf(values.schemaContext);
  }
  const kafka = await context.kafka();
  if ((await kafka.isRedpanda()) !== true) return '';
  const topics = values.regex
    ? (await kafka.listTopics({ topics: values.topics, regex: true, internal: false })).map(({ name }) => name)
    : values.topics;
  const named = await kafka.schemaContexts(topics);
  const [first = '.', other] = new Set(topics.map((topic) => named.get(topic) ?? '.'));
  if (other === undefined) return prefixOf(first);
  throw usageError(`the topics have their schemas in different contexts of the registry: ${first} and ${other}`, {
    hints: ['read them one at a time, or choose a context with --schema-context'],
  });
}

/** Returns what finds out, once for each topic, in which context its schemas are. */
export function topicContexts(context: Context, values: ContextValues): (topic: string) => Promise<string> {
  const contexts = new Map<string, () => Promise<string>>();
  return (topic) => {
    const find = contexts.get(topic) ?? recordContext(context, { ...values, topics: [topic], regex: false });
    contexts.set(topic, find);
    return find();
  };
}
