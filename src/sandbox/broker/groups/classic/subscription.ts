import { array, bytes, int16, string } from '../../wire/primitives.ts';
import { type ClassicMembership, metadataOf } from './membership.ts';

const version = int16.compile(0, false);
const topics = array(string).compile(0, false);
const userData = bytes.compileNullable(0, false);

/** The topics that the members of a classic group of consumers name in their subscriptions. */
export function subscribedTopics({ members, protocolName }: ClassicMembership): ReadonlySet<string> {
  const found = new Set<string>();
  for (const member of members.values()) {
    for (const name of topicsIn(Buffer.from(metadataOf(member, protocolName)))) found.add(name);
  }
  return found;
}

/** Reads the beginning of a ConsumerProtocolSubscription: every version of it starts with the names. */
function topicsIn(buffer: Buffer): readonly string[] {
  const source = { buffer, at: 0 };
  try {
    version.read(source);
    const names = topics.read(source);
    userData.read(source);
    return names;
  } catch {
    return []; // another program's own form
  }
}
