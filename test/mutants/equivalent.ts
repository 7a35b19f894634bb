/** A mutant that no test can notice. */
export interface Equivalent {
  readonly file: string;
  /** The first line that changes, without the spaces around it. */
  readonly from: string;
  /** The same line after the change. */
  readonly to: string;
  readonly why: string;
}

/** Mutants that were drawn and found to change nothing that anybody can see. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'src/kafka/streams/consume/answer.ts',
    from: 'if (end.leaderEpoch >= 0 && end.leaderEpoch !== position.lastEpoch) {',
    to: 'if (end.leaderEpoch >= 0 && true) {',
    why: 'records of the last epoch add nothing to the epochs that were noted; the condition only saves the walk',
  },
  {
    file: 'src/admin/client/nodes.ts',
    from: "const from = urls[0] ?? '';",
    to: 'const from = urls[0] ?? "Stryker was here!";',
    why: 'there is always a first address; the other value is for the compiler',
  },
  {
    file: 'src/kafka/records/batches/compression/wasm-blocks.ts',
    from: 'if (history > 0) scratch.bytes.copy(machine.memory, unpackedAt - history, scratch.length - history, scratch.length);',
    to: 'if (true) scratch.bytes.copy(machine.memory, unpackedAt - history, scratch.length - history, scratch.length);',
    why: 'without history nothing is copied either way; the condition only saves the call',
  },
  {
    file: 'src/cli/parse/habits.ts',
    from: 'at: /^weir(?: topic)?$/,',
    to: 'at: /weir(?: topic)?$/,',
    why: 'every path begins with weir, and no command is named so',
  },
  {
    file: 'src/kafka/streams/consume/leaders.ts',
    from: 'if (newlyLed.length > 0) void checkLogs(search, newlyLed, startedAt);',
    to: 'if (true) void checkLogs(search, newlyLed, startedAt);',
    why: 'for no partitions no broker is asked; the reader only looks once more at what it has',
  },
];
