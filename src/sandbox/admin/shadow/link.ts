/** A JSON object of a request, whose fields are read by name. */
export type Message = Readonly<Record<string, unknown>>;

/** The state of a topic that a link copies. */
type ShadowTopicState = 'ACTIVE' | 'FAULTED' | 'PAUSED' | 'FAILING_OVER' | 'FAILED_OVER' | 'PROMOTED';

/** A topic that a link copies. */
export interface ShadowTopic {
  readonly name: string;
  state: ShadowTopicState;
  /** The virtual time since which it has its state, in milliseconds since the epoch. */
  since: number;
}

/** A shadow link: topics of a made-up source cluster are copied to this one. */
export interface ShadowLink {
  readonly name: string;
  readonly uid: string;
  /** As it was sent, with the secrets. */
  configurations: Message;
  /** Virtual time in milliseconds since the epoch. */
  passwordSetAt: number;
  readonly topics: Map<string, ShadowTopic>;
}

/** A section of a configuration, or another message in one; empty if it is left out. */
export function sectionOf(message: Message, name: string): Message {
  const section = message[name];
  return typeof section === 'object' && section !== null ? (section as Message) : {};
}

/** The messages of a list; empty if it is left out. */
export function listIn(message: Message, name: string): readonly Message[] {
  const list = message[name];
  return Array.isArray(list) ? list : [];
}
