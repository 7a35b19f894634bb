import type { Mutation } from './mutation.ts';

const kind = 'produce';
const letter = 'signals';

/** Defects in what a command says and does when a signal ends it. */
export const signalMutations: readonly Mutation[] = [
  {
    ...{ kind, letter, name: 'Ctrl-C limits how long the records that were read may take' },
    file: 'cli/interruption.ts',
    from: '    if (isTyped && left.length > 0) return;\n',
    to: '',
  },
  {
    ...{ kind, letter, name: 'a command that a signal ends does not count its records' },
    file: 'commands/topic/produce.ts',
    from: 'return production.giveUp(stoppedError(`stopped before ${missing}`, []));',
    to: 'return new Error(missing);',
  },
  {
    ...{ kind, letter, name: 'the second signal does not end a command' },
    file: 'cli/interruption.ts',
    from: 'if (received !== undefined) return end(context.signal.aborted ? context.signal.reason : reason);',
    to: 'if (received !== undefined) return;',
  },
  {
    ...{ kind, letter, name: 'a warning with the same text as an earlier one is not printed' },
    file: 'cli/output/messages.ts',
    from: "    else say(labeled('warning:', line, host, flags.color));",
    to: "    else if (!warned.has(line)) say(labeled('warning:', line, host, flags.color));\n    warned.add(line);",
    test: { file: 'simulation/recreation.test.ts', why: 'its seed 9 shows it; only there a warning comes twice' },
  },
  {
    ...{ kind, letter, name: 'batches in flight count as not sent' },
    file: 'kafka/streams/produce/lane-flow.ts',
    from: 'return batch.isUncertain || batch.isOnWire;',
    to: 'return batch.isUncertain;',
  },
];
