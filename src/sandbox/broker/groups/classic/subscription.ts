import { array, bytes, int16, string } from '../../../../kafka/wire/primitives.ts';
import { sourceOf } from '../../../../kafka/wire/source.ts';
import { type ClassicMembership, metadataOf } from './membership.ts';

const version = int16.compile(0, false);
const topics = array(string).compile(0, false);
const userData = bytes.compileNullable(0, false);

/** Collects the topics that members of a classic consumer group subscribe to. */
export function subscribedTopics({ members, protocolName }: ClassicMembership): ReadonlySet<string> {
  const found = new Set<string>();
  for (const member of members.values()) {
    for (const name of topicsIn(Buffer.from(metadataOf(member, protocolName)))) found.add(name);
  }
  return found;
}

/** Reads the start of a ConsumerProtocolSubscription, which lists the topic names in every version. */
function topicsIn(buffer: Buffer): readonly string[] {
  const source = sourceOf(buffer);
  try {
    version.read(source);
    const names = topics.read(source);
    userData.read(source);
    return names;
  } catch {
    return []; // another program's own format
  }
}
