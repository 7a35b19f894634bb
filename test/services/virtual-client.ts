import type { KafkaOptions } from '../../src/kafka/protocol/options.ts';
import { createVirtualClock, type VirtualClock } from '../simulation/virtual-clock.ts';
import type { Script } from './scripted-broker.ts';
import { clientOf, deadlineOf, type TestClient, type TestLimits } from './scripted-client.ts';
import { type Peers, type ScriptedLinks, scriptedLinks } from './scripted-link.ts';

/** A client and its brokers in virtual time, in which limits are exact however busy the machine is. */
export interface VirtualClient {
  readonly clock: VirtualClock;
  readonly links: ScriptedLinks;
  readonly client: TestClient;
}

/** Creates a client of brokers without sockets: `one` is the seed broker unless the options name others. */
export function virtualClient(
  peers: Peers | Script,
  limits: TestLimits = {},
  { brokers = [{ host: 'one', port: 9092 }], ...options }: Partial<KafkaOptions> = {},
): VirtualClient {
  const clock = createVirtualClock();
  const links = scriptedLinks(peers);
  const deadline = deadlineOf({ command: 3_600_000, ...limits }, clock);
  return { clock, links, client: clientOf(brokers, {}, { ...options, dial: links.dial, deadline }) };
}
