/** Says why something is no name for a topic, by the rules of Kafka and Redpanda; undefined if it is one. */
export function topicNameFault(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name === '.' || name === '..') return `it is "${name}"`;
  const foreign = /[^a-zA-Z0-9._-]/u.exec(name)?.[0];
  if (foreign !== undefined) return `it contains ${JSON.stringify(foreign)}`;
  return name.length > 249 ? `it has ${name.length} characters` : undefined;
}
