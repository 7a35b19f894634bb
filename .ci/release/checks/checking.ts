/** What checks may use. */
export interface Checking {
  /** The folder of the release. */
  readonly out: string;
  readonly version: string;
  /** The addresses of brokers that have the topic `release`. */
  readonly brokers: string;
  /** An empty directory. */
  readonly place: string;
}

/** Something that must hold of a release. */
export interface Check {
  readonly name: string;
  /** Fails if it does not hold; returns what it saw. */
  run(checking: Checking): string;
}

/** Fails with the message unless the condition holds. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Runs weir by a way of calling it: its version, and the topics of a cluster. */
export function tryWeir({ version, brokers }: Checking, weir: (args: readonly string[]) => string): string {
  const said = weir(['--version']).trim();
  ensure(said === `weir ${version}`, `weir --version says "${said}"`);
  const topics = weir(['topic', 'list', '-X', `brokers=${brokers}`]);
  ensure(/^release\s/m.test(topics), `weir topic list shows "${topics}"`);
  return `${said}, topic list`;
}
